// SPDX-License-Identifier: Apache-2.0
#include "core/library/runs/run_trash.h"

#include <filesystem>

#include "core/base/errors/error_key.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/files/one_folder.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/library/records/project_library.h"
#include "core/library/runs/curve_index.h"
#include "core/library/runs/run_listing.h"
#include "core/record/runs/run_folder.h"
#include "core/record/runs/run_lock.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

bool liesIn(const std::string& path, const std::string& folder) {
  std::error_code code;
  return fs::equivalent(fs::path(absolutePath(path)).parent_path(), folder, code);
}

// The run's own folder name, when it is free; one with an ending otherwise.
std::string freePath(const std::string& folder, const std::string& name) {
  const std::string path = folder + "/" + name;
  return fileExists(path) ? path + "-" + makeUuid().substr(0, 8) : path;
}

// A run that cannot be read is thrown away, and brought back, like any other.
Status checkIsRun(const std::string& path) {
  const auto run = RunFolder::open(path);
  if (run.ok() || fileExists(RunFolder(path).identityPath())) return {};
  return run.error();
}

}  // namespace

Result<std::string> trashRun(ProjectLibrary& library, const std::string& runPath) {
  FATHOM_CHECK(checkIsRun(runPath));
  if (const auto holder = runLockHolder(runPath)) {
    return aboutFile(runPath,
                     unavailableError(Phrase::tr("run %1 is running (process %2)")(runPath, holder->pid),
                                      Phrase::tr("stop it first")));
  }
  if (!liesIn(runPath, library.runsPath())) {
    FATHOM_CHECK(library.unlinkRun(runPath));
    return runPath;
  }
  FATHOM_CHECK(makeOneFolder(library.trashPath()));
  const std::string name = fs::path(runPath).lexically_normal().filename().string();
  const std::string target = freePath(library.trashPath(), name);
  FATHOM_CHECK(renamePath(runPath, target));
  return target;
}

Result<std::string> restoreRun(ProjectLibrary& library, const std::string& trashedPath) {
  FATHOM_CHECK(checkIsRun(trashedPath));
  if (!liesIn(trashedPath, library.trashPath())) {
    FATHOM_CHECK(library.relinkRun(trashedPath));
    return trashedPath;
  }
  const auto identity = RunFolder(trashedPath).identity();
  const std::string uuid = identity.ok() ? identity->uuid : std::string();
  FATHOM_CHECK(makeOneFolder(library.runsPath()));
  FATHOM_TRY(const auto index, CurveIndex::open(library.path()));
  std::string same;
  if (!uuid.empty()) {
    FATHOM_TRY(same, RunListing(library, index.get()).pathOf(uuid));
  }
  if (!same.empty())
    return aboutFile(trashedPath,
                     unavailableError(Phrase::tr("this run is in the project again: %1")(same),
                                      Phrase::tr("delete that one first, then bring this one back")));
  std::string name = fs::path(trashedPath).lexically_normal().filename().string();
  if (!uuid.empty() && name.starts_with(uuid + "-")) name = uuid;  // the ending was for the trash
  const std::string target = freePath(library.runsPath(), name);
  FATHOM_CHECK(renamePath(trashedPath, target));
  return target;
}

Result<std::vector<TrashedRun>> trashedRuns(ProjectLibrary& library) {
  FATHOM_TRY(const auto notes, library.allRunNotes());
  std::vector<TrashedRun> runs;
  FATHOM_TRY(const auto items, entriesIn(library.trashPath()));
  for (const auto& item : items) {
    const auto folder = RunFolder::open(item.path());
    if (!folder) continue;
    const auto identity = folder->identity();
    if (!identity) continue;
    const auto note = notes.find(identity->uuid);
    const bool named = note != notes.end() && !note->second.name.empty();
    runs.push_back({item.path(), *identity, named ? note->second.name : identity->name});
  }
  return runs;
}

}  // namespace fathom
