// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/training_request.h"

#include <filesystem>

#include "app/runs/data_choice.h"
#include "app/runs/made_data.h"
#include "app/runs/own_presets.h"
#include "app/runs/run_control.h"
#include "core/base/errors/error_key.h"
#include "core/base/files/hash.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/lines/compressed_file.h"
#include "core/base/options/named_files.h"
#include "core/base/text/byte_order_mark.h"
#include "core/base/text/shell_word.h"
#include "core/base/text/utf8.h"
#include "core/record/presets.h"
#include "core/record/runs/project_folder.h"
#include "core/record/runs/run_folder.h"
#include "core/tasks/task.h"

namespace fathom {

namespace {

Status makePathsAbsolute(OptionValues& values) {
  for (const OptionField& field : values.schema().fields()) {
    if (field.type != OptionType::Path) continue;
    const std::string path = values.text(field.key);
    if (path.empty() || path[0] == '/') continue;
    FATHOM_CHECK(values.set(field.key, absolutePath(path)));
  }
  return {};
}

Status checkFiles(const OptionValues& values) {
  const std::vector<MissingFile> missing = missingFiles(values);
  if (missing.empty()) return {};
  const auto& [key, path] = missing.front();
  if (const auto there = isThere(path); !there.ok()) return aboutKey(key, there.error());
  Error error = dataError(Phrase::tr("option '%1': there is no file %2")(key, path),
                          Phrase::tr("give the path with --set %1=FILE")(key));
  error.key = key;
  error.file = path;
  return error;
}

// A few bytes that hold nothing but blanks, packed or not; the engine would say so after the queue.
bool holdsNothing(const std::string& path) {
  constexpr std::uintmax_t kMostLookedInto = 4096;
  if (folderExists(path) || fileBytes(path) > kMostLookedInto) return false;
  const auto reader = PackedReader::open(path);
  if (!reader.ok()) return false;
  std::string bytes(kMostLookedInto, '\0');
  while (true) {
    const auto got = (*reader)->read(bytes.data(), bytes.size());
    if (!got.ok()) return false;
    if (*got == 0) return true;
    if (!strip(withoutByteOrderMark(std::string_view(bytes).substr(0, *got))).empty()) return false;
  }
}

// An error if one of the task's own files is empty, whichever part it is.
Status checkNotEmpty(const OptionValues& values) {
  const TaskEntry* task = taskOf(values);
  if (task == nullptr) return {};
  for (const OptionField& field : task->fields) {
    if (field.type != OptionType::Path || !values.active(field.key)) continue;
    const std::string path = values.text(field.key);
    if (path.empty() || !holdsNothing(path)) continue;
    Error error = dataError(Phrase::tr("option '%1': the file %2 is empty")(field.key, path),
                            Phrase::tr("give another with --set %1=FILE")(field.key));
    error.key = field.key;
    error.file = path;
    return error;
  }
  return {};
}

Status checkDevice(const EngineDescription& engine, const OptionValues& values) {
  if (!values.schema().find("device")) return {};
  const std::string device = values.text("device");
  if (device == "auto") return {};
  std::string known = "auto";
  for (const EngineDevice& candidate : engine.devices) {
    if (candidate.id == device && candidate.available) return {};
    if (candidate.id == device) {
      return aboutKey("device", unavailableError(Phrase::tr("device %1 cannot be used: %2")(
                                                     device, Phrase::known(candidate.reason)),
                                                 Phrase::tr("set device=auto")));
    }
    if (candidate.available) known += ", " + candidate.id;
  }
  return aboutKey("device", unavailableError(Phrase::tr("there is no device '%1' on this machine")(device),
                                             Phrase::tr("there are: %1")(known)));
}

// A configuration that lies in a run of another program has that program's options.
Status checkConfigIsOurs(const std::string& file) {
  const auto attempt = std::filesystem::path(absolutePath(file)).lexically_normal().parent_path();
  const RunFolder run(attempt.parent_path().parent_path().string());
  if (!run.exists()) return {};
  const auto identity = run.identity();
  return identity.ok() ? checkOurEngine(*identity) : Status();
}

// Turns a usage error into a data error: the fault is the file's, not the command line's.
Status badConfiguration(Status status) {
  if (status.ok() || status.error().kind != ErrorKind::Usage) return status;
  Error error = status.error();
  error.kind = ErrorKind::Data;
  return error;
}

// The request with the preset that its data set starts from, and the options of the data set.
struct DataRequest {
  TrainingRequest request;
  Json files = Json::object();
};
Result<DataRequest> withDataSet(const TrainingRequest& asked, const OptionSchema& schema) {
  DataRequest with{asked};
  if (asked.data.empty()) return with;
  std::string task;
  if (!asked.preset.empty()) {
    FATHOM_TRY(const Preset preset, findAnyPreset(asked.preset));
    const TaskEntry* entry = taskOf(preset.options);
    if (entry != nullptr) task = entry->id;
  }
  FATHOM_TRY(const DataChoice choice, chooseData(asked.data, task));
  if (!task.empty() && choice.kind->task != task)
    return aboutKey("data", usageError(Phrase::tr("%1 is %2, which the preset '%3' does not read")(
                                           asked.data, choice.kind->title, asked.preset),
                                       Phrase::tr("start from %1")(choice.kind->preset)));
  if (asked.preset.empty() && asked.configFile.empty()) with.request.preset = choice.kind->preset;
  with.files = optionsFor(choice, schema);
  return with;
}

// A sample preset without files of one's own is trained on the made data.
Status fillMadeData(OptionValues& values, const RunConfig& config, const std::string& project) {
  const TaskEntry* task = taskOf(values);
  const bool asked = task != nullptr && values.active(task->data.train);
  if (project.empty() || !usesMadeData(config.preset) || !asked || !values.text(task->data.train).empty())
    return {};
  const std::string place = absolutePath(project);
  const Json files = madeDataFiles(place, task);
  for (const auto& [key, file] : files.items()) {
    if (values.text(key).empty()) FATHOM_CHECK(values.set(key, file));
  }
  FATHOM_CHECK(values.check());
  return makeMissingData(place, values);
}

}  // namespace

std::vector<MissingFile> missingFiles(const OptionValues& values) {
  std::vector<MissingFile> missing;
  for (const OptionField& field : values.schema().fields()) {
    if (field.type != OptionType::Path || !values.active(field.key)) continue;
    const std::string path = values.text(field.key);
    if (!path.empty() && !fileExists(path)) missing.push_back({field.key, path});
  }
  return missing;
}

Status checkTrainingValues(const EngineDescription& engine, const OptionValues& values, bool elsewhere) {
  FATHOM_CHECK(values.check());
  FATHOM_CHECK(checkFiles(values));
  FATHOM_CHECK(checkNotEmpty(values));
  return elsewhere ? Status() : checkDevice(engine, values);
}

Result<RunConfig> trainingConfig(const EngineDescription& engine, const TrainingRequest& asked) {
  FATHOM_TRY(const DataRequest with, withDataSet(asked, engine.options));
  const TrainingRequest& request = with.request;
  OptionValues values(engine.options);
  RunConfig config;
  config.preset = request.preset;
  config.name = request.name;
  if (!request.preset.empty()) {
    FATHOM_TRY(const Preset preset, findAnyPreset(request.preset));
    FATHOM_CHECK(values.merge(preset.options, "preset " + preset.id));
    if (config.name.empty()) config.name = preset.id;
  }
  if (!request.configFile.empty()) {
    FATHOM_CHECK(checkConfigIsOurs(request.configFile));
    FATHOM_TRY(const RunConfig file, readRunConfig(request.configFile));
    FATHOM_CHECK(badConfiguration(values.merge(file.options, request.configFile)));
    if (!file.name.empty() && request.name.empty()) config.name = file.name;
    if (config.preset.empty()) config.preset = file.preset;
  }
  FATHOM_CHECK(values.merge(with.files, request.data));
  for (const std::string& assignment : request.assignments) FATHOM_CHECK(values.setText(assignment));
  FATHOM_CHECK(makePathsAbsolute(values));
  FATHOM_CHECK(fillMadeData(values, config, request.project));
  if (request.needsData) FATHOM_CHECK(checkFilesNamed(values));
  FATHOM_CHECK(checkTrainingValues(engine, values, request.elsewhere));
  config.options = values.effective();
  return config;
}

QueueEntry trainingEntry(const std::string& project, const RunConfig& config, const std::string& grid) {
  QueueEntry entry;
  entry.uuid = makeUuid();
  entry.runPath = ProjectFolder(project).runsPath() + "/" + entry.uuid;
  entry.config = runConfigToJson(config);
  entry.device = config.options.value("device", "auto");
  entry.grid = grid;
  return entry;
}

}  // namespace fathom
