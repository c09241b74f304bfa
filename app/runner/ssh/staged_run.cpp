// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/ssh/staged_run.h"

#include "core/base/files/atomic_file.h"
#include "core/record/runs/mirror_note.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {

std::string relativeTo(const std::string& folder, const std::string& path) {
  return path.substr(folder.size() + 1);
}

bool hasField(const PlaceRecord& record, const char* key) {
  return record.resources.schema().find(key) != nullptr;
}

// Threads and device as the place says, where the configuration leaves them open.
void takePlaceValues(const PlaceRecord& record, Json& config) {
  if (!config.contains("options")) return;
  Json& options = config["options"];
  const auto threads = hasField(record, "threads") ? record.resources.integer("threads") : 0;
  if (threads > 0 && options.value("threads", 0) == 0) options["threads"] = threads;
  const std::string device = hasField(record, "device") ? record.resources.text("device") : "auto";
  if (device != "auto" && options.value("device", "auto") == "auto") options["device"] = device;
}

}  // namespace

Result<StagedRun> stageRun(RelayChannel& channel, const JobRequest& job, PlacedPaths& placed,
                           const PlacedBytes& told, const StopToken& stop) {
  const PlaceRecord& record = channel.record();
  const RunFolder folder(job.runPath);
  const auto textAtHost = [&](const Json& written) -> Result<std::string> {
    FATHOM_TRY(Json json, configAtHost(channel, written, placed, told, stop));
    takePlaceValues(record, json);
    return json.dump(2) + "\n";
  };
  StagedRun staged;
  if (!job.configPath.empty()) {
    FATHOM_TRY(const Json written, readJsonFile(job.configPath));
    FATHOM_TRY(staged.config, textAtHost(written));
    return staged;
  }
  const auto note = mirrorNote(folder.path());
  if (folder.lastAttempt() > 0 && (!note || note->place != record.id))
    return unavailableError(Phrase::tr("run %1 is not at %2")(job.uuid, record.id),
                            Phrase::tr("resume it where it was"));
  // Attempts that left nothing there were settled here.
  if (const auto text = readFile(folder.path() + "/run.json")) staged.files["run.json"] = *text;
  for (const int attempt : folder.attempts()) {
    FATHOM_TRY(const Json written, folder.config(attempt));
    FATHOM_TRY(staged.config, textAtHost(written));
    staged.files[relativeTo(folder.path(), folder.configPath(attempt))] = staged.config;
    if (const auto text = readFile(folder.outcomePath(attempt)))
      staged.files[relativeTo(folder.path(), folder.outcomePath(attempt))] = *text;
  }
  return staged;
}

}  // namespace fathom
