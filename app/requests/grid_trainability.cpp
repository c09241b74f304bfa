// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/grid_trainability.h"

#include "app/requests/trainability_request.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/one_folder.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/json/json_text.h"

namespace fathom {

namespace {

std::string verdictFolder(const std::string& project) {
  return project + "/trainability";
}

}  // namespace

std::optional<std::filesystem::file_time_type> verdictsChangedAt(const std::string& project) {
  std::error_code code;
  const auto time = std::filesystem::last_write_time(verdictFolder(project), code);
  return code ? std::nullopt : std::optional(time);
}

Result<std::map<std::string, std::string>> keptVerdicts(const std::string& project) {
  std::map<std::string, std::string> verdicts;
  FATHOM_TRY(const auto entries, entriesIn(verdictFolder(project)));
  for (const auto& entry : entries) {
    if (entry.path().extension() != ".json") continue;
    const auto report = readJsonFile(entry.path().string());
    if (report.ok() && report->is_object() && report->value("verdict", Json()).is_string())
      verdicts[entry.path().stem().string()] = (*report)["verdict"].get<std::string>();
  }
  return verdicts;
}

Result<std::string> judgeAndKeep(const std::string& project, const std::string& run, const RunConfig& config,
                                 Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const Json report, checkTrainability(config, progress, stop));
  FATHOM_CHECK(makeOneFolder(verdictFolder(project)));
  FATHOM_CHECK(writeFileAtomically(verdictFolder(project) + "/" + run + ".json", jsonText(report, 1) + "\n"));
  return report.at("verdict").get<std::string>();
}

}  // namespace fathom
