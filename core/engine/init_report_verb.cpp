// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <optional>

#include "core/base/json/json_text.h"
#include "core/engine/engine_verbs.h"
#include "core/engine/probe_progress.h"
#include "core/init/init_report.h"
#include "core/init/initialisation.h"
#include "core/nn/pretrained/encoder_folder.h"
#include "core/record/runs/run_folder.h"
#include "core/train/loop/control_queue.h"
#include "core/train/parts/run_options.h"
#include "core/train/parts/run_parts.h"

namespace fathom {

namespace {

Json recordedReport(const std::string& runPath) {
  const RunFolder folder = RunFolder::open(runPath).value();
  for (int attempt = 1; attempt <= folder.lastAttempt(); ++attempt) {
    const auto details = readJsonFile(folder.detailsPath(attempt));
    if (details.ok() && details->contains("initialisation") && (*details)["initialisation"].contains("rows"))
      return (*details)["initialisation"];
  }
  throw Failure(dataError(Phrase::tr("run %1 has no report of its initialisation")(runPath),
                          Phrase::tr("give the configuration with --config instead")));
}

// The model alone: initialisations that measure on training batches say so.
Json reportWithoutData(const OptionValues& options, std::int64_t vocabulary) {
  const ModelInputs inputs = ModelInputs::ofVocabulary(vocabulary);
  const auto model = buildModel(options, inputs, torch::TensorOptions(torch::kFloat32)).value();
  std::optional<WeightsTaken> taken;
  const auto fill = [&](InitTarget& target) -> Status {
    FATHOM_TRY(taken, loadPretrained(options, target.model));
    return {};
  };
  Json report =
      initialiseModel(*model, options, static_cast<std::uint64_t>(options.integer("seed")), {}, 0, fill)
          .value();
  if (taken) {
    report["kept"] = taken->kept;
    report["weights"] = taken->toJson();
  }
  report["rows"] = initRows(*model, report);
  return report;
}

Json reportOf(const InitReportVerb& verb, Progress& progress, const StopToken& stop) {
  if (!verb.run.empty()) return recordedReport(verb.run);
  const auto [config, from, vocabulary] = startingPoint(verb.config, verb.preset, verb.vocabulary).value();
  const OptionValues network = networkOptions(config, from, verb.assignments).value();
  const TaskEntry* task = taskOf(network);
  if (task == nullptr || (!task->data.train.empty() && network.text(task->data.train).empty()))
    return reportWithoutData(network, vocabulary);
  const OptionValues options = runOptions(config, from, verb.assignments).value();
  RunPartsRequest request;
  request.device = options.text("device");
  request.setup.seed = static_cast<std::uint64_t>(options.integer("seed"));
  request.setup.progress = &progress;
  request.setup.stop = stop;
  RunParts parts = makeRunParts(options, request).value();
  PrepareRequest prepare;
  prepare.cachePath = verb.cache;
  prepare.progress = &progress;
  prepare.stop = stop;
  return initialiseParts(parts, options, true, prepare, verb.examples).value();
}

}  // namespace

ExitCode initReportVerb(const InitReportVerb& verb) {
  const auto control = ControlQueue::open({"", "", false, true}).value();
  ProbeProgress shown(verb.progressLines);
  const Json report = reportOf(verb, shown.progress, control->stop());
  shown.clear();
  if (!verb.json) {
    std::cout << initTable(report) << std::flush;
    return ExitCode::Finished;
  }
  const Json json = {{"format", 1},
                     {"init", report.at("init")},
                     {"seed", report.at("seed")},
                     {"rows", report.at("rows")},
                     {"profile", report.at("profile")},
                     {"measured_on", report.value("measured_on", Json())},
                     {"weights", report.value("weights", Json())}};
  std::cout << jsonText(json, verb.progressLines ? -1 : 1) << std::endl;
  return ExitCode::Finished;
}

}  // namespace fathom
