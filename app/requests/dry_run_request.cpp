// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/dry_run_request.h"

#include <QTemporaryDir>
#include <set>

#include "app/runner/child_process.h"
#include "app/runner/engine_description.h"
#include "app/runner/engine_progress.h"
#include "core/analysis/training/dry_run_report.h"
#include "core/base/errors/phrase.h"
#include "core/base/files/atomic_file.h"
#include "core/base/json/json_text.h"
#include "core/record/runs/exit_code.h"

namespace fathom {

namespace {

constexpr double kDryRunSeconds = 600;  // data may have to be read
constexpr double kDryCheckSeconds = 30;
constexpr int kAskNice = 5;

// It prints its answer whether or not the run fits.
bool answered(int exitCode) {
  const std::set<int> codes = {static_cast<int>(ExitCode::Finished), static_cast<int>(ExitCode::OutOfMemory),
                               static_cast<int>(ExitCode::DeviceMemory), static_cast<int>(ExitCode::Disk)};
  return codes.contains(exitCode);
}

std::string answerLine(const std::string& text) {
  const auto end = text.find_last_not_of('\n');
  if (end == std::string::npos) return {};
  const auto begin = text.rfind('\n', end);
  const std::size_t first = begin == std::string::npos ? 0 : begin + 1;
  return text.substr(first, end + 1 - first);
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

}  // namespace

Result<Json> askDryRun(const DryRunQuestion& question, Progress& progress, const StopToken& stop) {
  if (question.configs.empty()) return internalError("a dry run of nothing");
  FATHOM_TRY(const std::string engine, findEngine());
  const QTemporaryDir folder;
  if (!folder.isValid())
    return diskError(Phrase::tr("cannot make a temporary folder: %1")(folder.errorString().toStdString()));
  const std::string file = folder.path().toStdString() + "/config.json";
  FATHOM_CHECK(writeFileAtomically(file, jsonText(runConfigToJson(question.configs.front()))));
  progress.begin(Phrase::tr("starting the engine").english, "", -1);
  ChildSpec spec;
  spec.program = engine;
  spec.arguments = {"estimate",
                    "--json",
                    "--progress-lines",
                    "--config",
                    file,
                    "--seconds",
                    std::to_string(question.seconds)};
  if (question.check) spec.arguments.push_back("--check");
  if (!question.disk.empty()) spec.arguments.insert(spec.arguments.end(), {"--disk", question.disk});
  if (question.configs.size() > 1) {
    const std::string grid = folder.path().toStdString() + "/grid.json";
    FATHOM_CHECK(writeFileAtomically(grid, jsonText(membersOf(question.configs))));
    spec.arguments.insert(spec.arguments.end(), {"--grid", grid});
  }
  spec.nice = kAskNice;
  ChildLimits limits;
  limits.seconds = question.check ? kDryCheckSeconds : kDryRunSeconds;
  limits.watch = EngineProgress(progress);
  FATHOM_TRY(const ChildOutput output, runChild(spec, limits, stop));
  if (stop.stopRequested()) return interruptedError();
  if (!answered(output.exitCode)) return engineError(output);
  const auto report = parseJson(answerLine(output.out), engine);
  if (!report.ok() || !report->is_object() || !report->contains("memory")) {
    if (output.exitCode != 0) return engineError(output);
    return dataError(Phrase::tr("the engine's answer about memory and time cannot be read"));
  }
  progress.finish();
  return *report;
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
