// SPDX-License-Identifier: Apache-2.0
#include "core/record/checkpoint_choice.h"

#include <charconv>
#include <vector>

namespace fathom {

namespace {

Error noSuch(const std::string& runPath, const std::string& wanted,
             const std::vector<CheckpointManifest>& all) {
  std::string known;
  for (const CheckpointManifest& manifest : all) known += (known.empty() ? "" : ", ") + manifest.name;
  return usageError("run " + runPath + " has no checkpoint '" + wanted + "'",
                    known.empty() ? "it has none at all" : "there are: " + known);
}

bool isStep(const std::string& word, std::int64_t& step) {
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), step);
  return code == std::errc() && end == word.data() + word.size();
}

}  // namespace

Result<CheckpointManifest> chooseCheckpoint(const std::string& runPath, const std::string& wanted) {
  const std::vector<CheckpointManifest> all = listCheckpoints(runPath);
  if (wanted.empty() && all.empty()) return dataError("run " + runPath + " has no usable checkpoint");
  if (wanted.empty()) return all.back();
  const CheckpointManifest* chosen = nullptr;
  std::int64_t step = -1;
  const bool byStep = isStep(wanted, step);
  for (const CheckpointManifest& manifest : all) {
    const bool better =
        wanted == "best" && manifest.score() && (chosen == nullptr || *manifest.score() < *chosen->score());
    if (better || manifest.name == wanted || (byStep && manifest.step == step)) chosen = &manifest;
  }
  if (chosen != nullptr) return *chosen;
  if (wanted == "best") return usageError("run " + runPath + " has no checkpoint with a score", "name one");
  return noSuch(runPath, wanted, all);
}

}  // namespace fathom
