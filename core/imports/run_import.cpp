// SPDX-License-Identifier: Apache-2.0
#include "core/imports/run_import.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

#include "core/base/errors/phrase.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/json/json.h"
#include "core/imports/import_entry.h"
#include "core/imports/imported_names.h"
#include "core/record/events/event_reader.h"
#include "core/record/events/scalar_reader.h"
#include "core/record/import/import_staging.h"
#include "core/record/runs/run_archive.h"
#include "core/record/runs/run_config.h"
#include "core/record/runs/run_folder.h"
#include "core/record/runs/run_lock.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

Status copyRunFolder(const std::string& from, const std::string& to, Progress& progress,
                     const StopToken& stop) {
  FATHOM_TRY(const RunFolder run, RunFolder::open(from));
  FATHOM_CHECK(makeFolders(to));
  std::error_code code;
  FATHOM_TRY(const auto entries, treeBelow(from));
  progress.begin(Phrase::tr("copying run").english, Phrase::tr("files").english, -1);
  double done = 0;
  for (const auto& entry : entries) {
    if (stop.stopRequested()) return interruptedError();
    const fs::path relative = entry.path().lexically_relative(from);
    const fs::file_type type = entry.symlink_status(code).type();
    if (code) return inputError(Phrase::tr("cannot look at"), entry.path().string(), code.value());
    if (relative == kRunLockName) continue;
    if (type == fs::file_type::directory) {
      FATHOM_CHECK(makeFolders(to + "/" + relative.string()));
    } else if (type == fs::file_type::regular) {
      fs::copy_file(entry.path(), to + "/" + relative.string(), code);
      if (code) return systemError(Phrase::tr("cannot copy"), entry.path().string(), code.value());
      progress.report(++done);
    }
  }
  progress.finish();
  return {};
}

// Folder of the run with this UUID, or "".
Result<std::string> folderOfRun(const std::string& runsFolder, const std::string& uuid) {
  FATHOM_TRY(const auto items, entriesIn(runsFolder));
  for (const auto& item : items) {
    if (item.path().filename().string().starts_with('.')) continue;  // an import under way
    const auto identity = RunFolder(item.path().string()).identity();
    if (identity.ok() && identity->uuid == uuid) return item.path().string();
  }
  return std::string();
}

Status refuseKnown(const std::string& runsFolder, const std::string& uuid, const ImportOptions& options) {
  std::string known;
  if (options.folderOf) {
    FATHOM_TRY(known, options.folderOf(uuid));
  } else {
    FATHOM_TRY(known, folderOfRun(runsFolder, uuid));
  }
  return known.empty() ? Status() : usageError(Phrase::tr("run %1 is already there: %2")(uuid, known));
}

std::string plainStem(const std::string& source) {
  std::string stem = fs::path(source).lexically_normal().filename().string();
  if (stem.empty()) stem = fs::path(source).lexically_normal().parent_path().filename().string();
  for (const char* ending : {".zst", ".gz", ".tgz", ".tar", ".csv", ".tsv", ".log", ".json", ".jsonl"}) {
    if (stem.size() > std::string_view(ending).size() && stem.ends_with(ending))
      stem.resize(stem.size() - std::string_view(ending).size());
  }
  return stem;
}

std::string safeName(const std::string& name) {
  std::string safe;
  for (const char c : name.substr(0, 80)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '_' || c == '-' || c == '.';
    safe += plain ? c : '_';
  }
  while (safe.starts_with('.')) safe.erase(0, 1);
  return safe.empty() ? "run" : safe;
}

// Its points of now are imported, even where it goes on.
Status readForeign(const std::string& source, const ImportEntry& entry, const ImportOptions& options,
                   const StopToken& stop, const ImportSink& take) {
  FATHOM_TRY(const auto opened, openSource(entry, source, options));
  return readWhole(*opened, stop, take);
}

Status renameRun(const std::string& runPath, const std::string& name) {
  const std::string path = RunFolder(runPath).identityPath();
  FATHOM_TRY(Json json, readJsonFile(path));
  json["name"] = name;
  return writeFileAtomically(path, json.dump(2) + "\n");
}

// Lines that the readers of the run will leave out without a word.
Result<std::vector<Phrase>> damageOf(const std::string& runPath) {
  const RunFolder run(runPath);
  std::vector<Phrase> warnings;
  for (const int attempt : run.attempts()) {
    const std::string log = run.eventsPath(attempt);
    FATHOM_TRY(const bool begun, isThere(log));
    if (!begun) continue;  // ended before it wrote anything
    EventReader reader(log);
    constexpr std::size_t kPart = std::size_t{4} << 20;
    while (true) {
      FATHOM_TRY(const auto events, reader.poll(kPart));
      if (events.empty()) break;
    }
    if (reader.badLines() > 0)
      warnings.push_back(Phrase::tr("attempt %1: %2 damaged lines of the event log are left out")(
          attempt, reader.badLines()));
  }
  return warnings;
}

// Runs that lie finished in the hidden folder, on their way to their own places.
struct StagedRun {
  std::string path;
  std::string folder;  // what its folder is to be called
  RunImport report;
};

Status describe(StagedRun& staged) {
  FATHOM_TRY(const RunIdentity identity, RunFolder(staged.path).identity());
  staged.report.uuid = identity.uuid;
  staged.report.name = identity.name;
  std::set<std::string, std::less<>> known;
  FATHOM_CHECK(visitRunScalars(staged.path, [&](const ScalarRow& row) -> Status {
    for (const auto& [name, value] : row.values)
      if (!known.contains(name)) staged.report.metrics.emplace_back(*known.emplace(name).first);
    staged.report.points += static_cast<std::int64_t>(row.values.size());
    return {};
  }));
  return {};
}

// Options of a run of ours, as its last attempt has them.
Json optionsOf(const std::string& runPath) {
  const RunFolder run(runPath);
  const auto config = readRunConfig(run.configPath(run.lastAttempt()));
  return config.ok() ? config->options : Json::object();
}

Result<std::vector<StagedRun>> stageForeign(const std::string& source, const ImportEntry& entry,
                                            const std::string& staging, const ImportOptions& options,
                                            Progress& progress, const StopToken& stop) {
  std::vector<StagedRun> staged;
  progress.begin("reading " + entry.id, Phrase::tr("runs").english, -1);
  FATHOM_CHECK(readForeign(source, entry, options, stop, [&](ImportedRun run) -> Status {
    StagedRun next;
    next.path = staging + "/" + std::to_string(staged.size());
    FATHOM_CHECK(writeImportedRun(next.path, run, importedName(run, options, source), makeUuid(), source));
    next.report.options = std::move(run.options);
    next.report.warnings = std::move(run.warnings);
    FATHOM_CHECK(describe(next));
    next.folder = next.report.name;
    staged.push_back(std::move(next));
    progress.report(static_cast<double>(staged.size()));
    return {};
  }));
  progress.finish();
  const bool any = std::any_of(staged.begin(), staged.end(), [](const StagedRun& run) {
    return run.report.points > 0 || !run.report.options.empty();
  });
  if (!any) return dataErrorAt(source, 0, Phrase::tr("there are no scalars in it"));
  if (staged.size() != 1 || options.name.empty()) return staged;
  // A name that was asked for is the name of the one run there is.
  FATHOM_CHECK(renameRun(staged.front().path, options.name));
  staged.front().report.name = staged.front().folder = options.name;
  return staged;
}

Result<std::vector<StagedRun>> stageOwn(const std::string& source, const std::string& staging,
                                        const std::string& runsFolder, const ImportOptions& options,
                                        Progress& progress, const StopToken& stop) {
  StagedRun run;
  run.path = staging + "/0";
  run.folder = options.name.empty() ? plainStem(source) : options.name;
  if (folderExists(source)) {
    FATHOM_CHECK(copyRunFolder(source, run.path, progress, stop));
  } else {
    FATHOM_CHECK(importRunArchive(source, run.path, progress, stop));
  }
  if (!options.name.empty()) FATHOM_CHECK(renameRun(run.path, options.name));
  FATHOM_TRY(run.report.warnings, damageOf(run.path));
  FATHOM_CHECK(describe(run));
  run.report.options = optionsOf(run.path);
  if (options.name.empty()) run.folder = run.report.uuid;  // as where it was trained
  FATHOM_CHECK(refuseKnown(runsFolder, run.report.uuid, options));
  std::vector<StagedRun> staged;
  staged.push_back(std::move(run));
  return staged;
}

// All of them or none: what was moved already goes back when one cannot be moved.
Status publish(std::vector<StagedRun>& staged, const std::string& runsFolder) {
  for (std::size_t i = 0; i < staged.size(); ++i) {
    RunImport& report = staged[i].report;
    report.runPath = freeRunPath(runsFolder, staged[i].folder, report.uuid);
    Status status = renamePath(staged[i].path, report.runPath);
    if (status.ok() && i + 1 == staged.size()) status = syncFolder(runsFolder);
    if (status.ok()) continue;
    std::error_code ignored;
    for (std::size_t back = 0; back <= i; ++back)
      fs::rename(staged[back].report.runPath, staged[back].path, ignored);
    return status;
  }
  return {};
}

}  // namespace

std::string freeRunPath(const std::string& runsFolder, const std::string& name, const std::string& uuid) {
  const std::string path = runsFolder + "/" + safeName(name);
  return fileExists(path) ? path + "-" + uuid.substr(0, 8) : path;
}

// One of several is called what was asked for, then what the source calls it; the only one as was asked.
std::string importedName(const ImportedRun& run, const ImportOptions& options, const std::string& source) {
  const std::string& own = run.title.empty() ? run.name : run.title;
  if (!options.name.empty()) return run.name.empty() ? options.name : options.name + "/" + own;
  return own.empty() ? plainStem(source) : own;
}

Result<const ImportEntry*> importNamed(const std::string& format) {
  if (const ImportEntry* entry = findImport(format)) return entry;
  std::string known = "auto";
  for (const ImportEntry& entry : importEntries()) known += ", " + entry.id;
  return usageError(Phrase::tr("unknown format \"%1\"")(format), Phrase::tr("one of %1")(known));
}

Result<ImportReport> importRuns(const std::string& source, const std::string& runsFolder,
                                const ImportOptions& options, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const auto staging, ImportStaging::begin(runsFolder));
  ImportReport report;
  FATHOM_TRY(const ImportEntry* entry,
             options.format == "auto" ? recognisedImport(source) : importNamed(options.format));
  report.format = entry->id;
  FATHOM_CHECK(makeFolders(staging->path()));
  FATHOM_TRY(auto staged, entry->open == nullptr
                              ? stageOwn(source, staging->path(), runsFolder, options, progress, stop)
                              : stageForeign(source, *entry, staging->path(), options, progress, stop));
  FATHOM_CHECK(publish(staged, runsFolder));
  for (StagedRun& run : staged) report.runs.push_back(std::move(run.report));
  return report;
}

}  // namespace fathom
