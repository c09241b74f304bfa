// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/record/runs/checkpoint_folder.h"

namespace fathom {

// Number of updates of a checkpoint by its name, 0 for "init"; nothing for other words.
std::optional<std::int64_t> checkpointStep(const std::string& name);
// The one of `names` that is meant: itself, by its number of updates (of several, the last), or "<=600": the
// newest after at most so many. Nothing where none is.
std::optional<std::string> chooseAmong(const std::vector<std::string>& names, const std::string& wanted);

// The checkpoint that a person means: "" the newest, "best" by score, a number of updates (the last attempt
// that has it), "<=" and a number (the newest until then), or a name. Only the manifest is read. Usage error
// that lists what there is, or data error for one that is damaged.
Result<CheckpointManifest> chooseCheckpoint(const std::string& runPath, const std::string& wanted);

// Folder of the newest checkpoint whose bytes are right (newestGoodCheckpoint); a data error where there is
// none. Names of damaged ones are added to `damaged`.
Result<std::string> usableCheckpoint(const std::string& runPath, std::vector<std::string>& damaged);

// Names all states of a run: before the first update, and every checkpoint.
inline constexpr const char* kAllCheckpoints = "all";
// The words, each for one checkpoint, of an argument that may stand for several: kAllCheckpoints (of several
// after the same number of updates the last attempt's), or words between commas. A folder's path is one word.
std::vector<std::string> checkpointWords(const std::string& runPath, const std::string& argument);

}  // namespace fathom
