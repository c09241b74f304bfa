// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/dry_run_request.h"

#include <algorithm>
#include <set>

#include "app/requests/engine_question.h"
#include "app/runner/engine_progress.h"
#include "app/runner/places/place_look.h"
#include "core/analysis/training/dry_run_report.h"
#include "core/base/errors/phrase.h"
#include "core/base/json/json_members.h"
#include "core/base/json/phrase_json.h"
#include "core/base/text/number_text.h"
#include "core/record/runs/exit_code.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {

constexpr double kDryRunSeconds = 600;  // data may have to be read
constexpr double kDryCheckSeconds = 30;

// It prints its answer whether or not the run fits.
bool answered(int exitCode) {
  const std::set<int> codes = {static_cast<int>(ExitCode::Finished), static_cast<int>(ExitCode::OutOfMemory),
                               static_cast<int>(ExitCode::DeviceMemory), static_cast<int>(ExitCode::Disk),
                               static_cast<int>(ExitCode::BadInput)};
  return codes.contains(exitCode);
}

// Options in which a member differs from the first one.
Json membersOf(const std::vector<RunConfig>& configs) {
  Json members = Json::array();
  for (const RunConfig& config : configs) {
    Json options = Json::object();
    for (const auto& [key, value] : config.options.items())
      if (!configs.front().options.contains(key) || configs.front().options[key] != value)
        options[key] = value;
    members.push_back({{"name", config.name}, {"options", options}});
  }
  return members;
}

// The network that was measured is that of the place.
void nameFirstLink(Json& report, const std::string& place) {
  if (memberList(memberObject(report, "ranks"), "links").empty()) return;
  writePhrase(report["ranks"]["links"][0], "name", Phrase::tr("At %1, as measured")(place));
}

}  // namespace

Result<Json> askDryRun(const DryRunQuestion& question, Progress& progress, const StopToken& stop) {
  if (question.configs.empty()) return internalError("a dry run of nothing");
  QuestionFiles files;
  FATHOM_TRY(const std::string file, files.write(question.configs.front()));
  std::vector<std::string> arguments = {"estimate", "--json",    "--config",
                                        file,       "--seconds", std::to_string(question.seconds)};
  if (question.check) arguments.emplace_back("--check");
  if (!question.disk.empty()) arguments.insert(arguments.end(), {"--disk", question.disk});
  if (question.configs.size() > 1) {
    FATHOM_TRY(const std::string grid, files.write("grid.json", membersOf(question.configs)));
    arguments.insert(arguments.end(), {"--grid", grid});
  }
  const auto link = question.place.empty() ? std::nullopt : measuredLink(question.project, question.place);
  if (link)
    arguments.insert(arguments.end(), {"--bandwidth", formatted("%.9g", link->bandwidth), "--latency",
                                       formatted("%.9g", link->latency)});
  FATHOM_TRY(const EngineAnswer output,
             askEngine({arguments, question.check ? kDryCheckSeconds : kDryRunSeconds}, progress, stop));
  if (!answered(output.exitCode)) return engineError(output);
  auto report = output.json();
  if (!report.ok() || !report->is_object() || !report->contains("memory")) {
    if (output.exitCode != 0) return engineError(output);
    return dataError(Phrase::tr("the engine's answer about memory and time cannot be read"));
  }
  progress.finish();
  if (link) nameFirstLink(*report, question.place);
  return *report;
}

std::int64_t neededMemory(const Json& report) {
  const Json& memory = memberObject(report, "memory");
  const auto activations = memory.find("activations");
  const bool whole = activations != memory.end() && activations->is_number();
  return whole ? memberInteger(memory, "needed") : 0;
}

Result<std::int64_t> askMemoryOf(const std::string& runFolder, Progress& progress, const StopToken& stop) {
  const RunFolder folder(runFolder);
  DryRunQuestion question;
  FATHOM_TRY(const RunConfig config, readRunConfig(folder.configPath(std::max(1, folder.lastAttempt()))));
  question.configs = {config};
  question.seconds = 0;
  FATHOM_TRY(const Json report, askDryRun(question, progress, stop));
  const std::int64_t bytes = neededMemory(report);
  if (bytes > 0) return bytes;
  return unavailableError(Phrase::tr("the engine cannot say how much memory the run needs"));
}

Status checkRunsFit(const std::vector<RunConfig>& configs, const std::string& project,
                    const StopToken& stop) {
  if (configs.empty()) return {};
  DryRunQuestion question;
  question.configs = configs;
  question.disk = project;
  question.check = true;
  Progress nobody;
  const auto report = askDryRun(question, nobody, stop);
  if (!report.ok()) return report.error().kind == ErrorKind::Interrupted ? Status(report.error()) : Status();
  const Error refusal = dryRunRefusal(*report);
  return refusal.message.empty() ? Status() : Status(refusal);
}

}  // namespace fathom
