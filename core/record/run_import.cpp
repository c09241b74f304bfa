// SPDX-License-Identifier: Apache-2.0
#include "core/record/run_import.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <map>

#include "core/base/atomic_file.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/path_facts.h"
#include "core/record/compressed_file.h"
#include "core/record/event_log.h"
#include "core/record/event_reader.h"
#include "core/record/run_archive.h"
#include "core/record/run_config.h"
#include "core/record/run_folder.h"
#include "core/record/tfrecord_reader.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

// The hidden folder everything goes into first; gone unless it was renamed away.
class StagingFolder {
 public:
  explicit StagingFolder(const std::string& runsFolder) : m_path(runsFolder + "/.import-" + makeUuid()) {}
  ~StagingFolder() {
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
  }
  StagingFolder(const StagingFolder&) = delete;
  StagingFolder& operator=(const StagingFolder&) = delete;
  const std::string& path() const { return m_path; }

 private:
  std::string m_path;
};

Result<std::string> headOf(const std::string& path) {
  FATHOM_TRY(const auto in, PackedReader::open(path));
  std::string head(8192, '\0');
  std::size_t filled = 0;
  while (filled < head.size()) {
    FATHOM_TRY(const std::size_t count, in->read(head.data() + filled, head.size() - filled));
    if (count == 0) break;
    filled += count;
  }
  head.resize(filled);
  return head;
}

Result<std::string> detectFormat(const std::string& source) {
  std::error_code code;
  if (fs::is_directory(source, code))
    return std::string(fileExists(source + "/run.json") ? "run" : "tensorboard");
  if (!fs::exists(source, code)) return inputError("cannot open", source, ENOENT);
  FATHOM_TRY(const std::string head, headOf(source));
  if (head.size() > 262 && head.compare(257, 5, "ustar") == 0) return std::string("run");
  if (head.size() >= 12 &&
      maskedCrc32c(std::string_view(head).substr(0, 8)) ==
          (static_cast<unsigned char>(head[8]) | static_cast<unsigned char>(head[9]) << 8 |
           static_cast<unsigned char>(head[10]) << 16 |
           static_cast<std::uint32_t>(static_cast<unsigned char>(head[11])) << 24))
    return std::string("tensorboard");
  if (head.find("num_updates\"") != std::string::npos || head.find("| INFO |") != std::string::npos)
    return std::string("fairseq");
  if (head.find('\0') != std::string::npos) {
    return dataErrorAt(source, 0, "neither a run, a TensorBoard event file nor a text file",
                       "name its format with the option format");
  }
  const std::string_view first = std::string_view(head).substr(0, head.find('\n'));
  return std::string(first.find('{') != std::string_view::npos ? "fairseq" : "csv");
}

Status copyRunFolder(const std::string& from, const std::string& to, Progress& progress,
                     const StopToken& stop) {
  FATHOM_TRY(const RunFolder run, RunFolder::open(from));
  FATHOM_CHECK(makeFolders(to));
  std::error_code code;
  const auto entries = listTree(from, code);
  if (code) return inputError("cannot read", from, code.value());
  progress.begin("copying run", "files", -1);
  double done = 0;
  for (const auto& entry : entries) {
    if (stop.stopRequested()) return interruptedError();
    const fs::path relative = entry.path().lexically_relative(from);
    if (relative == "lock" || entry.is_symlink(code)) continue;
    if (entry.is_directory(code)) {
      FATHOM_CHECK(makeFolders(to + "/" + relative.string()));
    } else if (entry.is_regular_file(code)) {
      fs::copy_file(entry.path(), to + "/" + relative.string(), code);
      if (code) return systemError("cannot copy", entry.path().string(), code.value());
      progress.report(++done);
    }
  }
  progress.finish();
  return {};
}

Status refuseKnown(const std::string& runsFolder, const std::string& uuid) {
  std::error_code code;
  for (const auto& entry : listFolder(runsFolder, code)) {
    if (entry.path().filename().string().starts_with('.')) continue;
    const auto identity = RunFolder(entry.path().string()).identity();
    if (identity.ok() && identity->uuid == uuid)
      return usageError("run " + uuid + " is already there: " + entry.path().string());
  }
  return {};
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

std::string freePath(const std::string& runsFolder, const std::string& name, const std::string& uuid) {
  const std::string path = runsFolder + "/" + safeName(name);
  return fileExists(path) ? path + "-" + uuid.substr(0, 8) : path;
}

// --- scalars → events ----------------------------------------------------------------------------------

struct EventRow {
  double time = 0, epoch = 0, tokens = 0, rate = 0;
  bool hasRate = false;
  std::string metrics;  // "name":value,…
};
// By time order within a step; training and validation apart.
using EventTable = std::map<std::pair<double, bool>, EventRow>;

EventTable eventTable(const ImportedRun& run) {
  EventTable table;
  for (const ScalarSeries& series : run.series) {
    const bool validation = series.metric.starts_with("valid.");
    const std::string name = Json(series.metric).dump(-1, ' ', false, Json::error_handler_t::replace);
    for (std::size_t i = 0; i < series.value.size(); ++i) {
      EventRow& row = table[{series.step[i], validation}];
      row.time = std::max(row.time, series.time[i]);
      row.epoch = std::max(row.epoch, series.epoch[i]);
      row.tokens = std::max(row.tokens, series.tokens[i]);
      if (series.metric == "lr") {
        row.rate = series.value[i];
        row.hasRate = true;
        continue;
      }
      if (!row.metrics.empty()) row.metrics += ',';
      row.metrics += name + ":" + jsonNumber(series.value[i]);
    }
  }
  return table;
}

std::string beginLine(std::int64_t seq, double time, const char* kind) {
  return "{\"v\":" + std::to_string(kEventVersion) + ",\"seq\":" + std::to_string(seq) +
         ",\"t\":" + jsonNumber(time) + ",\"k\":\"" + kind + "\"";
}

Status writeEvents(const std::string& path, const ImportedRun& run, double& lastStep) {
  FATHOM_TRY(const auto out, PackedWriter::create(path));
  std::int64_t seq = 0;
  std::string buffer =
      beginLine(seq++, run.startTime, "run_started") +
      ",\"attempt\":1,\"resumed_from\":\"\",\"bit_exact\":false,\"device\":\"\",\"threads\":0,"
      "\"total_updates\":-1";
  closeEventLine(buffer);
  for (const auto& [key, row] : eventTable(run)) {
    std::string line = beginLine(seq++, run.startTime + row.time, key.second ? "validation" : "step");
    line += ",\"step\":" + jsonNumber(key.first) + ",\"epoch\":" + jsonNumber(row.epoch) +
            ",\"tokens\":" + jsonNumber(row.tokens);
    if (row.hasRate) line += ",\"lr\":" + jsonNumber(row.rate);
    line += ",\"m\":{" + row.metrics + "}";
    closeEventLine(line);
    if (line.size() > kMaxEventBytes)
      return dataError("step " + jsonNumber(key.first) + " has more scalars than fit one event (64 KiB)");
    lastStep = std::max(lastStep, key.first);
    buffer += line;
    if (buffer.size() < (1u << 20)) continue;
    FATHOM_CHECK(out->write(buffer));
    buffer.clear();
  }
  FATHOM_CHECK(out->write(buffer));
  return out->finish();
}

Result<ImportedRun> readForeign(const std::string& source, const std::string& format,
                                const ImportOptions& options, const StopToken& stop) {
  if (format == "csv") return readCsvRun(source, options, stop);
  if (format == "tensorboard") return readTensorboardRun(source, stop);
  if (format == "fairseq") return readFairseqRun(source, stop);
  return usageError("unknown format \"" + format + "\"", "one of auto, run, csv, tensorboard, fairseq");
}

Status stageRun(const std::string& source, const std::string& staging, Progress& progress,
                const StopToken& stop) {
  std::error_code code;
  if (fs::is_directory(source, code)) return copyRunFolder(source, staging, progress, stop);
  return importRunArchive(source, staging, progress, stop);
}

Status renameRun(const std::string& runPath, const std::string& name) {
  const std::string path = runPath + "/run.json";
  FATHOM_TRY(Json json, readJsonFile(path));
  json["name"] = name;
  return writeFileAtomically(path, json.dump(2) + "\n");
}

// What the readers of the run will leave out without a word.
Result<std::vector<std::string>> damageOf(const std::string& runPath) {
  const RunFolder run(runPath);
  std::vector<std::string> warnings;
  for (const int attempt : run.attempts()) {
    const std::string log = run.attemptPath(attempt) + "/events.jsonl";
    if (std::error_code code; !fs::exists(log, code)) continue;  // ended before it wrote anything
    EventReader reader(log);
    constexpr std::size_t kPart = std::size_t{4} << 20;
    while (true) {
      FATHOM_TRY(const auto events, reader.poll(kPart));
      if (events.empty()) break;
    }
    if (reader.badLines() > 0)
      warnings.push_back("attempt " + std::to_string(attempt) + ": " + std::to_string(reader.badLines()) +
                         " damaged lines of the event log are left out");
  }
  return warnings;
}

}  // namespace

Status writeImportedRun(const std::string& path, const ImportedRun& run, const std::string& name,
                        const std::string& uuid, const std::string& source) {
  RunIdentity identity;
  identity.uuid = uuid;
  identity.name = name;
  identity.provenance = {{"imported_from", fs::path(source).filename().string()},
                         {"format", run.format},
                         {"imported", isoTimeNow()},
                         {"warnings", run.warnings}};
  FATHOM_TRY(const RunFolder folder, RunFolder::create(path, identity));
  RunConfig config;
  config.name = name;
  FATHOM_TRY(const int attempt, folder.beginAttempt(runConfigToJson(config)));
  double lastStep = 0;
  FATHOM_CHECK(writeEvents(folder.attemptPath(attempt) + "/events.jsonl", run, lastStep));
  RunOutcome outcome;
  outcome.state = RunState::Finished;
  outcome.step = outcome.lastFiniteStep = static_cast<std::int64_t>(lastStep);
  outcome.message = "imported from " + run.format;
  outcome.details["imported_from"] = run.format;
  return folder.writeOutcome(attempt, outcome);
}

Result<ImportReport> importRun(const std::string& source, const std::string& runsFolder,
                               const ImportOptions& options, Progress& progress, const StopToken& stop) {
  FATHOM_CHECK(makeFolders(runsFolder));
  const StagingFolder staging(runsFolder);
  ImportReport report;
  report.format = options.format;
  if (options.format == "auto") {
    FATHOM_TRY(report.format, detectFormat(source));
  }
  std::string name = options.name.empty() ? plainStem(source) : options.name;
  if (report.format == "run") {
    FATHOM_CHECK(stageRun(source, staging.path(), progress, stop));
    if (!options.name.empty()) FATHOM_CHECK(renameRun(staging.path(), options.name));
    FATHOM_TRY(report.warnings, damageOf(staging.path()));
  } else {
    progress.begin("reading " + report.format, "", -1);
    FATHOM_TRY(const ImportedRun run, readForeign(source, report.format, options, stop));
    report.warnings = run.warnings;
    FATHOM_CHECK(writeImportedRun(staging.path(), run, name, makeUuid(), source));
    progress.finish();
  }
  FATHOM_TRY(const RunIdentity identity, RunFolder(staging.path()).identity());
  FATHOM_CHECK(refuseKnown(runsFolder, identity.uuid));
  report.uuid = identity.uuid;
  FATHOM_TRY(const auto series, readRunScalars(staging.path()));
  report.metrics = static_cast<std::int64_t>(series.size());
  for (const ScalarSeries& one : series) report.points += static_cast<std::int64_t>(one.value.size());
  report.runPath = freePath(runsFolder, name, identity.uuid);
  FATHOM_CHECK(renamePath(staging.path(), report.runPath));
  FATHOM_CHECK(syncFolder(runsFolder));
  return report;
}

}  // namespace fathom
