// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "core/base/json.h"

namespace fathom {

// Arrays of results in JSON; non-finite values survive (jsonReal).
Json realsToJson(std::span<const double> values);
// Throws Failure for anything but an array of reals.
std::vector<double> realsFromJson(const Json& list);

}  // namespace fathom
