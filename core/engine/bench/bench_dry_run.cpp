// SPDX-License-Identifier: Apache-2.0
#include "core/engine/bench/bench_dry_run.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "core/base/files/temporary_folder.h"
#include "core/record/presets.h"
#include "core/train/dry/dry_run.h"
#include "core/train/loop/training_run.h"
#include "core/train/parts/run_options.h"

namespace fathom {

namespace {

using Clock = std::chrono::steady_clock;

// Seconds of the updates of a run, without validations.
class UpdateClock final : public RunWatcher {
 public:
  void step(const StepReport& report) override {
    for (const auto& [name, value] : report.values)
      if (name == "tokens_per_s" && value > 0)
        m_seconds += (static_cast<double>(report.tokens) - m_tokens) / value;
    m_tokens = static_cast<double>(report.tokens);
    ++m_updates;
  }
  double each() const { return m_updates > 0 ? m_seconds / static_cast<double>(m_updates) : 0; }

 private:
  double m_seconds = 0, m_tokens = 0;
  std::int64_t m_updates = 0;
};

Result<RunConfig> configOf(const DryRunBench& bench, const std::string& id, const std::string& folder) {
  FATHOM_TRY(const Preset preset, findPreset(id));
  RunConfig config;
  config.name = id;
  config.options = preset.options;
  const TaskEntry* task = taskOf(preset.options);
  if (task == nullptr || task->madeData.write == nullptr)
    return usageError(Phrase::tr("preset '%1' has no made data to be measured on")(id));
  FATHOM_TRY(const MadeData made, task->madeData.write(folder, 1, MadeDataSize::Training));
  // Its vocabulary too: the sample has no words for a larger one.
  config.options.update(made.options);
  const std::string length = std::to_string(static_cast<std::int64_t>(bench.updates)) + "u";
  config.options.update({{"training.length", length},
                         {"validation.interval", length},
                         {"validation.score_interval", length},
                         {"checkpoint.interval", length},
                         {"lr_schedule.warmup", 10},
                         {"divergence.not_learning_after", 0},
                         {"device", "cpu"},
                         {"threads", bench.threads}});
  return config;
}

// Says ratio and whether it is near enough.
bool compare(const std::string& preset, const char* what, double said, double measured, double tolerance) {
  const double ratio = measured > 0 ? said / measured : 0;
  const bool near = std::abs(ratio - 1) <= tolerance;
  std::printf("%-14s %-7s said %8.3f s  measured %8.3f s  ratio %.2f%s\n", preset.c_str(), what, said,
              measured, ratio, near ? "" : "  too far");
  return near;
}

Result<bool> benchOne(const DryRunBench& bench, const std::string& id) {
  const TemporaryFolder folder;
  FATHOM_TRY(const RunConfig config, configOf(bench, id, folder.path()));
  FATHOM_TRY(const OptionValues options, runOptions(config, id, {}));
  DryRunRequest request{.options = options};
  request.seconds = bench.seconds;
  request.mostDataBytes = std::int64_t{1} << 30;
  FATHOM_TRY(const DryRun said, dryRun(request));
  UpdateClock clock;
  TrainRequest training;
  training.runPath = folder.path() + "/run";
  training.config = config;
  training.configFile = id;
  training.watcher = &clock;
  training.watchStandardInput = training.watchSignals = false;
  const auto begin = Clock::now();
  const RunReport report = trainRun(training);
  if (!report.error.message.empty()) return report.error;
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  const bool update = compare(id, "update", said.updateSeconds.value_or(0), clock.each(), bench.tolerance);
  const bool total = compare(id, "total", said.totalSeconds.value_or(0), seconds, bench.tolerance);
  return update && total;
}

}  // namespace

Status benchDryRun(const DryRunBench& bench) {
  bool near = true;
  for (const std::string& preset : bench.presets) {
    FATHOM_TRY(const bool fine, benchOne(bench, preset));
    near = near && fine;
  }
  double load = 0;
  if (::getloadavg(&load, 1) == 1) std::printf("load %.1f\n", load);
  return near ? Status()
              : Status(numericError(Phrase::tr("a dry run said another time than a training took")));
}

}  // namespace fathom
