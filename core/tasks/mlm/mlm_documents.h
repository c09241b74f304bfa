// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/tasks/mlm/mlm_options.h"
#include "core/tasks/task.h"
#include "core/tasks/text_column.h"

namespace fathom {

// Sentences of a file and where its documents begin.
struct MlmText {
  TextColumn sentences;
  std::vector<std::int64_t> documents;  // index of the first sentence of each document, none is empty
  std::int64_t lines = 0, skippedLines = 0;
  std::vector<DataHash> hashes;
  std::int64_t documentCount() const { return static_cast<std::int64_t>(documents.size()); }
  std::int64_t documentEnd(std::int64_t document) const;
};

// Reads a file by the options. Data errors name file and line: missing, empty, no text; a line too long, not
// UTF-8 or with a NUL byte (skipped and counted if the options say so).
Result<MlmText> readDocuments(const std::string& path, const std::string& role, const MlmOptions& options,
                              const TaskSetup& setup);

// Cut behind a ".", "!" or "?" that stands alone or ends a word, at the blank that follows.
std::vector<std::string_view> cutAtFullStops(std::string_view line);

}  // namespace fathom
