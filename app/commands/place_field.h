// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/errors/result.h"
#include "core/base/options/option_field.h"

namespace fathom {

// Where runs are started: a name of places.json (app/runner/place_record.h).
OptionField placeField();
// The place that was asked for.
struct AskedPlace {
  std::string id;
  bool here = true;  // engines run on this machine: its devices and memory are theirs
};
Result<AskedPlace> askedPlace(const std::string& project, const OptionValues& options);

}  // namespace fathom
