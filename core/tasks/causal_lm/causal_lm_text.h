// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/tasks/causal_lm/causal_lm_options.h"
#include "core/tasks/task.h"
#include "core/tasks/text_column.h"

namespace fathom {

// Documents of a file, the lines of each joined with line breaks.
struct CausalText {
  TextColumn documents;
  std::int64_t lines = 0, skippedLines = 0;
  std::vector<DataHash> hashes;
};

// Data errors name file and line: missing, empty, no text; a line too long, not UTF-8 or with a NUL byte
// (skipped and counted if the options say so).
Result<CausalText> readCausalText(const std::string& path, const std::string& role,
                                  const CausalLmOptions& options, const TaskSetup& setup);

}  // namespace fathom
