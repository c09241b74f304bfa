// SPDX-License-Identifier: Apache-2.0
#include "core/library/runs/project_cleaner.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <tuple>
#include <utility>

#include "core/base/errors/phrase.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/files/temporary_file.h"
#include "core/library/queue/queue_folder.h"
#include "core/record/import/import_staging.h"
#include "core/record/runs/run_folder.h"
#include "core/record/runs/run_lock.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> sortedPaths(const std::vector<fs::directory_entry>& entries) {
  std::vector<fs::path> paths;
  for (const fs::directory_entry& entry : entries) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

// Entries of a folder, for callers that leave alone whatever cannot be looked at.
std::vector<fs::path> entriesOf(const std::string& folder) {
  return sortedPaths(seenIn(folder));
}

bool ended(const std::string& runPath) {
  const RunFolder run(runPath);
  return run.lastAttempt() > 0 && run.outcome(run.lastAttempt()) && !runLockHolder(runPath);
}

void addItem(CleanPlan& plan, const fs::path& path, const char* kind, Phrase reason,
             const std::string& run = {}) {
  plan.items.push_back({path.string(), kind, std::move(reason), bytesBelow(path.string()), run});
}

// Half-written, half-deleted and damaged checkpoints of a run that nobody writes, and what else a killed
// engine left.
void addLeftovers(CleanPlan& plan, const std::string& runPath, const std::string& uuid,
                  const std::string& name) {
  if (runLockHolder(runPath)) return;
  for (const fs::path& path : entriesOf(RunFolder(runPath).checkpointsPath())) {
    const std::string file = path.filename().string();
    if (file.ends_with(kUnfinishedEnd))
      addItem(plan, path, "leftover", Phrase::tr("a checkpoint that was never finished"), name);
    if (file == kCheckpointTrashName)
      addItem(plan, path, "leftover", Phrase::tr("checkpoints that were being deleted"), name);
    if (file.ends_with(kDamagedSuffix))
      addItem(plan, path, "damaged", Phrase::tr("a checkpoint whose bytes were changed"), name);
  }
  if (const std::string fresh = RunFolder(runPath).unbegunAttemptPath(); fileExists(fresh))
    addItem(plan, fresh, "leftover", Phrase::tr("an attempt that never began"), name);
  for (const std::string& socket : deadSocketsOf(uuid))
    addItem(plan, socket, "leftover", Phrase::tr("the control socket of an engine that was killed"), name);
}

// A result is stored within seconds: a folder that nobody has touched for so long is nobody's.
bool untouched(const fs::path& path) {
  std::error_code code;
  const auto time = fs::last_write_time(path, code);
  return !code && fs::file_time_type::clock::now() - time > std::chrono::hours(1);
}

bool below(const fs::path& path, const std::string& project) {
  const std::string inside = fs::path(path).lexically_normal().string();
  return inside.starts_with(fs::path(project).lexically_normal().string() + "/") &&
         inside.find("/../") == std::string::npos;
}

struct Halves {
  std::vector<fs::path> files, results;
};

// Looks below a folder, but not into what goes as a whole. A folder that cannot be looked into is passed
// over.
void findHalves(const std::string& folder, Halves& halves) {
  for (const auto& item : seenIn(folder)) {
    const fs::path& path = item.path();
    const std::string name = path.filename().string();
    std::error_code unknown;
    if (fs::symlink_status(path, unknown).type() != fs::file_type::directory) {
      if (isAbandonedTemporary(path.string())) halves.files.push_back(path);
      continue;
    }
    const bool result = name.ends_with(kUnfinishedEnd) &&
                        path.parent_path().parent_path().filename() == kAnalysesName && untouched(path);
    if (result) halves.results.push_back(path);
    const bool whole = name == kCheckpointTrashName || name == kUnbegunName ||
                       name.ends_with(kUnfinishedEnd) || isImportStaging(name);
    if (!whole) findHalves(path.string(), halves);
  }
}

// Files and results that were being written anywhere in the project by somebody who was killed. The trash
// goes as a whole.
void addHalves(CleanPlan& plan, const ProjectLibrary& library) {
  Halves halves;
  findHalves(library.path(), halves);
  std::erase_if(halves.files, [&](const fs::path& path) { return below(path, library.trashPath()); });
  std::sort(halves.files.begin(), halves.files.end());
  std::sort(halves.results.begin(), halves.results.end());
  for (const fs::path& path : halves.files)
    addItem(plan, path, "leftover", Phrase::tr("a file whose writer was killed before it was done"));
  for (const fs::path& path : halves.results)
    addItem(plan, path, "leftover", Phrase::tr("a result that was never stored"));
}

// Adds the files that a killed runner kept for runs that are not in the queue any more.
void addStartingFiles(CleanPlan& plan, const std::string& project) {
  const QueueFolder queue(project);
  const auto entries = queue.entries();
  if (!entries.ok() || queue.runnerPid() != 0) return;
  for (const fs::path& path : entriesOf(queue.startingPath())) {
    if (isTemporaryName(path.filename().string())) continue;
    const std::string uuid = path.stem().string();
    if (std::none_of(entries->begin(), entries->end(), [&](const QueueEntry& e) { return e.uuid == uuid; }))
      addItem(plan, path, "leftover", Phrase::tr("kept for a run that is not in the queue any more"));
  }
}

// Who uses it holds what it has read in memory: a file that goes is no loss.
void addCache(CleanPlan& plan, const std::string& project, bool remove) {
  const std::string folder = ProjectFolder(project).cachePath();
  plan.cacheBytes = bytesBelow(folder);
  if (!remove) return;
  for (const fs::path& path : entriesOf(folder)) {
    const std::string name = path.filename().string();
    if (name == kExecutionsName)
      addItem(plan, path, "cache",
              Phrase::tr("what executed predictions gave; a review that is opened executes them again"));
    else if (!isTemporaryName(name))
      addItem(plan, path, "cache",
              Phrase::tr("states of a frozen encoder; a run that needs them makes them again"));
  }
}

void addCheckpoints(CleanPlan& plan, const std::string& runPath, const std::string& runName,
                    const RetentionPolicy& keep) {
  if (!ended(runPath)) return;
  std::vector<RetentionItem> items;
  for (const CheckpointManifest& manifest : listCheckpoints(runPath))
    items.push_back({manifest.name, manifest.attempt, manifest.step, manifest.score()});
  for (const std::string& name : checkpointsToDelete(keep, items)) {
    addItem(plan, RunFolder(runPath).checkpointsPath() + "/" + name, "checkpoint",
            Phrase::tr("neither among the last %1 nor the best %2 of an ended run")(
                std::max(keep.keepLast, 1), keep.keepBest),
            runName);
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

// Older checkpoints may go only while the newest one is good.
bool newestIsGood(const std::string& run) {
  const auto all = listCheckpoints(run);
  return !all.empty() && verifyCheckpoint(all.back().path).ok();
}

Status removeItem(const CleanItem& item, std::map<std::string, bool>& verified) {
  const fs::path path(item.path);
  if (item.kind != "trash" && path.parent_path().filename() == kCheckpointsName) {
    const std::string run = path.parent_path().parent_path().string();
    if (runLockHolder(run)) return unavailableError(Phrase::tr("the run is in use"));
    if (item.kind == "checkpoint") {
      const auto [known, added] = verified.try_emplace(run, false);
      if (added) known->second = newestIsGood(run);
      if (!known->second) return dataErrorAt(run, 0, Phrase::tr("the newest checkpoint is damaged"));
      const Status gone = deleteCheckpoint(run, path.filename().string());
      removeUnsharedFiles(run);
      return gone;
    }
  }
  if (isImportStaging(path.filename().string())) return removeDeadImport(item.path);
  // Its writer may have come back, or another may have the name by now.
  if (isTemporaryName(path.filename().string()) && !isAbandonedTemporary(item.path))
    return unavailableError(Phrase::tr("%1 is being written")(item.path));
  if (path.filename() == kUnbegunName && runLockHolder(path.parent_path().parent_path().string()))
    return unavailableError(Phrase::tr("the run is in use"));
  std::error_code code;
  fs::remove_all(path, code);
  if (code) return systemError(Phrase::tr("cannot delete"), item.path, code.value());
  return {};
}

}  // namespace

Result<CleanPlan> planCleaning(ProjectLibrary& library, const CleanPolicy& policy) {
  CleanPlan plan;
  FATHOM_TRY(plan.projectBytes, sizeBelow(library.path()));
  if (policy.trash) {
    FATHOM_TRY(const auto trashed, entriesIn(library.trashPath()));
    for (const fs::path& path : sortedPaths(trashed)) {
      const auto identity = RunFolder(path.string()).identity();
      addItem(plan, path, "trash", Phrase::tr("in the trash"),
              identity.ok() ? identity->name : std::string());
    }
  }
  struct Run {
    std::string created, path, uuid, name;
  };
  std::vector<Run> runs;
  FATHOM_TRY(const auto folders, entriesIn(library.runsPath()));
  for (const fs::path& path : sortedPaths(folders)) {
    if (isImportStaging(path.filename().string())) continue;
    const auto identity = RunFolder(path.string()).identity();
    if (identity.ok()) runs.push_back({identity->created, path.string(), identity->uuid, identity->name});
  }
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) {
    return std::tie(a.created, a.path) < std::tie(b.created, b.path);
  });
  if (policy.leftovers) {
    for (const std::string& path : deadImports(library.runsPath()))
      addItem(plan, path, "leftover", Phrase::tr("an import that was interrupted"));
    for (const Run& run : runs) addLeftovers(plan, run.path, run.uuid, run.name);
    addHalves(plan, library);
    addStartingFiles(plan, library.path());
  }
  addCache(plan, library.path(), policy.cache);
  for (const Run& run : runs) {
    if (policy.checkpoints) addCheckpoints(plan, run.path, run.name, policy.keep);
  }
  applyBudget(plan, policy.budgetBytes);
  return plan;
}

Result<std::uint64_t> clean(ProjectLibrary& library, const CleanPlan& plan, Progress& progress,
                            const StopToken& stop) {
  std::uint64_t freed = 0;
  double done = 0;
  std::map<std::string, bool> verified;
  progress.begin(Phrase::tr("cleaning").english, Phrase::tr("items").english,
                 static_cast<double>(plan.items.size()));
  for (const CleanItem& item : plan.items) {
    if (stop.stopRequested()) return interruptedError();
    if (!below(item.path, library.path()) && !isDeadSocket(item.path))
      return usageError(Phrase::tr("%1 does not lie in the project %2")(item.path, library.path()));
    if (removeItem(item, verified).ok()) freed += item.bytes;
    progress.report(++done);
  }
  progress.finish();
  return freed;
}

}  // namespace fathom
