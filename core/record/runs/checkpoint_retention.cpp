// SPDX-License-Identifier: Apache-2.0
// Which checkpoints stay: the policy half of checkpoint_folder.h.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/record/runs/checkpoint_folder.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

std::vector<std::string> checkpointsToDelete(const RetentionPolicy& policy,
                                             std::vector<RetentionItem> items) {
  const auto age = [](const RetentionItem& item) { return std::pair(item.attempt, item.step); };
  std::sort(items.begin(), items.end(),
            [&](const RetentionItem& a, const RetentionItem& b) { return age(a) < age(b); });
  std::set<std::string> kept;
  const std::size_t last = static_cast<std::size_t>(std::max(policy.keepLast, 1));
  for (std::size_t i = items.size() > last ? items.size() - last : 0; i < items.size(); ++i)
    kept.insert(items[i].name);
  std::vector<RetentionItem> scored;
  for (const RetentionItem& item : items) {
    if (item.score && !std::isnan(*item.score)) scored.push_back(item);
    if (policy.every > 0 && item.step % policy.every == 0) kept.insert(item.name);
  }
  std::stable_sort(scored.begin(), scored.end(),
                   [](const RetentionItem& a, const RetentionItem& b) { return *a.score < *b.score; });
  for (std::size_t i = 0; i < scored.size() && i < static_cast<std::size_t>(std::max(policy.keepBest, 0));
       ++i)
    kept.insert(scored[i].name);
  std::vector<std::string> gone;
  for (const RetentionItem& item : items) {
    if (!kept.contains(item.name)) gone.push_back(item.name);
  }
  return gone;
}

Result<std::vector<std::string>> applyRetention(const std::string& runPath, const RetentionPolicy& policy) {
  std::vector<RetentionItem> items;
  const auto all = listCheckpoints(runPath);
  for (const CheckpointManifest& manifest : all)
    items.push_back({manifest.name, manifest.attempt, manifest.step, manifest.score()});
  const auto names = checkpointsToDelete(policy, items);
  std::vector<std::string> gone;
  if (names.empty()) return gone;
  FATHOM_TRY(const CheckpointManifest newest, verifyCheckpoint(all.back().path));
  for (const std::string& name : names) {
    if (deleteCheckpoint(runPath, name).ok()) gone.push_back(name);
  }
  removeUnsharedFiles(runPath);
  return gone;
}

void removeUnsharedFiles(const std::string& runPath) {
  std::set<std::string> named;
  std::vector<std::filesystem::path> files;
  const auto entries = entriesIn(RunFolder(runPath).checkpointsPath());
  if (!entries.ok()) return;  // a checkpoint that was not seen may name any of them
  std::error_code code;
  for (const auto& entry : *entries) {
    const std::filesystem::path& path = entry.path();
    if (path.filename().string().starts_with('.') || path.extension() == kUnfinishedEnd) continue;
    const bool regular = entry.is_regular_file(code);
    if (code) return;
    if (regular) {
      if (path.extension() == ".safetensors") files.push_back(path);
      continue;
    }
    const auto manifest = readCheckpointManifest(path.string());
    if (!manifest.ok()) return;
    for (const CheckpointFile& file : manifest->shared) named.insert(file.name);
  }
  for (const std::filesystem::path& file : files)
    if (!named.contains(file.filename().string())) std::filesystem::remove(file, code);
}

}  // namespace fathom
