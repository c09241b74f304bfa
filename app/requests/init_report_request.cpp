// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/init_report_request.h"

#include <algorithm>

#include "app/requests/engine_question.h"
#include "app/runner/engine_progress.h"
#include "core/base/files/path_facts.h"
#include "core/record/runs/run_folder.h"
#include "core/record/runs/shared_cache.h"

namespace fathom {

namespace {

bool isReport(const Json& json) {
  return json.is_object() && json.contains("rows") && json["rows"].is_array();
}

}  // namespace

Json recordedInitReport(const std::string& runFolder) {
  const RunFolder folder(runFolder);
  for (int attempt = 1; attempt <= folder.lastAttempt(); ++attempt) {
    const auto details = readJsonFile(folder.detailsPath(attempt));
    if (details.ok() && details->is_object() && details->contains("initialisation") &&
        isReport((*details)["initialisation"]))
      return (*details)["initialisation"];
  }
  return nullptr;
}

Result<Json> makeInitReport(const std::string& runFolder, Progress& progress, const StopToken& stop) {
  const RunFolder folder(runFolder);
  std::vector<std::string> arguments = {"init-report", "--json", "--config",
                                        folder.configPath(std::max(1, folder.lastAttempt()))};
  if (const std::string cache = sharedCachePath(runFolder); folderExists(cache))
    arguments.insert(arguments.end(), {"--cache", cache});
  FATHOM_TRY(const EngineAnswer output, askEngine({arguments}, progress, stop));
  if (output.exitCode != 0)
    return dataError(
        Phrase::tr("the engine could not report the initialisation: it %1")(describeExit(output.exitCode)),
        Phrase::words(output.err));
  FATHOM_TRY(Json report, output.json());
  if (!isReport(report))
    return dataError(Phrase::tr("the engine's report of the initialisation has no rows"));
  progress.finish();
  return report;
}

}  // namespace fathom
