// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/json/json.h"
#include "core/record/runs/exit_code.h"

namespace fathom {

struct DescribeVerb {
  bool model = false;
  std::string config, preset;  // a file, or the id of a preset
  std::vector<std::string> assignments;
  std::int64_t vocabulary = 0;  // 0: that of the preset, else kUsualVocabulary
};

// Everything the window and a script need to know about this engine, see describeVerb.
Json engineDescription();
// Prints one JSON object:
// {"format":1,"program","version","events_version","schema","metrics","entries","devices", "libraries"}; with
// `model` instead the sizes of the configured model.
ExitCode describeVerb(const DescribeVerb& verb);

}  // namespace fathom
