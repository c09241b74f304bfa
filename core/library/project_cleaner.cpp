// SPDX-License-Identifier: Apache-2.0
#include "core/library/project_cleaner.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "core/base/path_facts.h"
#include "core/record/run_folder.h"
#include "core/record/run_lock.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> entriesOf(const std::string& folder) {
  std::vector<fs::path> paths;
  std::error_code code;
  for (const auto& entry : listFolder(folder, code)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

bool ended(const std::string& runPath) {
  const RunFolder run(runPath);
  return run.lastAttempt() > 0 && run.outcome(run.lastAttempt()) && !runLockHolder(runPath);
}

void addItem(CleanPlan& plan, const fs::path& path, const char* kind, const std::string& reason) {
  plan.items.push_back({path.string(), kind, reason, bytesBelow(path.string())});
}

// Half-written, half-deleted and damaged checkpoints of a run that nobody writes.
void addLeftovers(CleanPlan& plan, const std::string& runPath) {
  if (runLockHolder(runPath)) return;
  for (const fs::path& path : entriesOf(RunFolder(runPath).checkpointsPath())) {
    const std::string name = path.filename().string();
    if (name.ends_with(".tmp")) addItem(plan, path, "leftover", "a checkpoint that was never finished");
    if (name == ".trash") addItem(plan, path, "leftover", "checkpoints that were being deleted");
    if (name.ends_with(".damaged")) addItem(plan, path, "damaged", "a checkpoint whose bytes were changed");
  }
}

void addCheckpoints(CleanPlan& plan, const std::string& runPath, const RetentionPolicy& keep) {
  if (!ended(runPath)) return;
  std::vector<RetentionItem> items;
  for (const CheckpointManifest& manifest : listCheckpoints(runPath))
    items.push_back({manifest.name, manifest.attempt, manifest.step, manifest.score()});
  for (const std::string& name : checkpointsToDelete(keep, items)) {
    addItem(plan, RunFolder(runPath).checkpointsPath() + "/" + name, "checkpoint",
            "neither among the last " + std::to_string(std::max(keep.keepLast, 1)) + " nor the best " +
                std::to_string(keep.keepBest) + " of an ended run");
  }
}

// Only as much as the budget asks for.
void applyBudget(CleanPlan& plan, std::uint64_t budget) {
  std::vector<CleanItem> kept;
  plan.freedBytes = 0;
  for (CleanItem& item : plan.items) {
    if (budget > 0 && plan.projectBytes - plan.freedBytes <= budget) break;
    plan.freedBytes += item.bytes;
    kept.push_back(std::move(item));
  }
  plan.items = std::move(kept);
}

bool below(const fs::path& path, const std::string& project) {
  const std::string inside = fs::path(path).lexically_normal().string();
  return inside.starts_with(fs::path(project).lexically_normal().string() + "/") &&
         inside.find("/../") == std::string::npos;
}

// Older checkpoints may go only while the newest one is good.
bool newestIsGood(const std::string& run) {
  const auto all = listCheckpoints(run);
  return !all.empty() && verifyCheckpoint(all.back().path).ok();
}

Status removeItem(const CleanItem& item, std::map<std::string, bool>& verified) {
  const fs::path path(item.path);
  if (item.kind != "trash" && path.parent_path().filename() == "checkpoints") {
    const std::string run = path.parent_path().parent_path().string();
    if (runLockHolder(run)) return unavailableError("the run is in use");
    if (item.kind == "checkpoint") {
      const auto [known, added] = verified.try_emplace(run, false);
      if (added) known->second = newestIsGood(run);
      if (!known->second) return dataErrorAt(run, 0, "the newest checkpoint is damaged");
      return deleteCheckpoint(run, path.filename().string());
    }
  }
  std::error_code code;
  fs::remove_all(path, code);
  if (code) return systemError("cannot delete", item.path, code.value());
  return {};
}

}  // namespace

Result<CleanPlan> planCleaning(ProjectLibrary& library, const CleanPolicy& policy) {
  CleanPlan plan;
  plan.projectBytes = bytesBelow(library.path());
  if (policy.trash) {
    for (const fs::path& path : entriesOf(library.trashPath())) addItem(plan, path, "trash", "in the trash");
  }
  std::vector<std::pair<std::string, std::string>> runs;  // created, path
  for (const fs::path& path : entriesOf(library.runsPath())) {
    if (path.filename().string().starts_with(".import-")) {
      if (policy.leftovers) addItem(plan, path, "leftover", "an import that was interrupted");
      continue;
    }
    const auto identity = RunFolder(path.string()).identity();
    if (identity.ok()) runs.emplace_back(identity->created, path.string());
  }
  std::sort(runs.begin(), runs.end());
  for (const auto& [created, run] : runs) {
    if (policy.leftovers) addLeftovers(plan, run);
  }
  for (const auto& [created, run] : runs) {
    if (policy.checkpoints) addCheckpoints(plan, run, policy.keep);
  }
  applyBudget(plan, policy.budgetBytes);
  return plan;
}

Result<std::uint64_t> clean(ProjectLibrary& library, const CleanPlan& plan, Progress& progress,
                            const StopToken& stop) {
  std::uint64_t freed = 0;
  double done = 0;
  std::map<std::string, bool> verified;
  progress.begin("cleaning", "items", static_cast<double>(plan.items.size()));
  for (const CleanItem& item : plan.items) {
    if (stop.stopRequested()) return interruptedError();
    if (!below(item.path, library.path()))
      return usageError(item.path + " does not lie in the project " + library.path());
    if (removeItem(item, verified).ok()) freed += item.bytes;
    progress.report(++done);
  }
  progress.finish();
  return freed;
}

}  // namespace fathom
