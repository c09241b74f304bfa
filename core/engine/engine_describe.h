// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/record/exit_code.h"

namespace fathom {

struct DescribeVerb {
  bool model = false;
  std::string config;
  std::vector<std::string> assignments;
  std::int64_t vocabulary = 10000;
};

// Everything the window and a script need to know about this engine, see describeVerb.
Json engineDescription();
// Prints one JSON object:
// {"format":1,"program","version","events_version","schema","metrics","entries","devices", "libraries"}; with
// `model` instead the sizes of the configured model.
ExitCode describeVerb(const DescribeVerb& verb);

}  // namespace fathom
