// SPDX-License-Identifier: Apache-2.0
#include "core/engine/bench/bench_device_step.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "core/base/files/atomic_file.h"
#include "core/base/files/temporary_folder.h"
#include "core/nn/on_host.h"
#include "core/record/presets.h"
#include "core/train/loop/training_run.h"
#include "core/train/parts/compute_device.h"

namespace fathom {

namespace {

constexpr const char* kLogVariable = "FATHOM_DEVICE_LOG";

struct CountedModel {
  const char* id;
  const char* preset;
  Json options;
};

const std::vector<CountedModel>& countedModels() {
  static const std::vector<CountedModel> kModels = {
      {"translation",
       "sample_small",
       {{"encoder.layers", 6},
        {"decoder.layers", 6},
        {"encoder.residual", "admin"},
        {"decoder.residual", "admin"},
        {"model.dropout", 0.1},
        {"model.attention_dropout", 0.1}}},
      {"bert", "mlm_quick", {{"encoder.layers", 12}, {"encoder.self_attention.score_chain", "mean"}}},
      {"sql-sp",
       "sql_sp_quick",
       {{"encoder.layers", 24},
        {"extra.layers", 24},
        {"model.sql_sp.encoder", "trained"},
        {"model.width", 32},
        {"model.heads", 2},
        {"model.feed_forward", 64},
        {"model.sql_sp.width", 32},
        {"model.extra_layers.heads", 2},
        {"model.extra_layers.feed_forward", 64}}}};
  return kModels;
}

Result<RunConfig> countedConfig(const DeviceStepBench& bench, const CountedModel& model,
                                const std::string& folder) {
  FATHOM_TRY(const Preset preset, findPreset(model.preset));
  RunConfig config;
  config.name = model.id;
  config.options = preset.options;
  const TaskEntry* task = taskOf(preset.options);
  FATHOM_TRY(const MadeData made, task->madeData.write(folder, 1, MadeDataSize::Check));
  config.options.update(made.options);
  config.options.update(model.options);
  for (const auto& [key, value] : config.options.items())
    if (key.ends_with("dropout") && value.is_number() && value > 0) config.options[key] = bench.dropout;
  const std::string length = std::to_string(bench.updates) + "u";
  config.options.update({{"training.length", length},
                         {"validation.interval", "never"},
                         {"validation.score_interval", "never"},
                         {"checkpoint.interval", length},
                         {"lr_schedule.warmup", 1},
                         {"divergence.not_learning_after", 0},
                         {"device", bench.device},
                         {"threads", 1}});
  return config;
}

// The last line but one that the device wrote.
Result<Json> countedUpdate(const std::string& log) {
  FATHOM_TRY(std::string text, readFile(log));
  text = text.substr(0, text.find_last_of('\n', text.find_last_not_of('\n')));
  const Json line = Json::parse(text.substr(text.find_last_of('\n') + 1), nullptr, false);
  if (line.is_object() && line.contains("operators")) return line;
  return dataError(Phrase::tr("%1: a line is no count of an update")(log));
}

void printCount(const std::string& model, const Json& count) {
  const auto number = [&](const char* name) { return static_cast<long long>(count.value(name, 0)); };
  std::printf("%-11s %9lld %7lld %9lld %8lld %12lld %11lld %14lld %7lld %8lld\n", model.c_str(),
              number("operators"), number("waits"), number("copies_to_device"), number("copies_to_host"),
              number("bytes_to_device"), number("bytes_to_host"), number("peak_bytes"), number("kernels"),
              number("launches"));
}

Status countOne(const DeviceStepBench& bench, const CountedModel& model, const std::string& log) {
  const TemporaryFolder folder;
  FATHOM_TRY(const RunConfig config, countedConfig(bench, model, folder.path()));
  TrainRequest training;
  training.runPath = folder.path() + "/run";
  training.config = config;
  training.configFile = model.preset;
  training.watchStandardInput = training.watchSignals = false;
  const RunReport report = trainRun(training);
  if (!report.error.message.empty()) return report.error;
  FATHOM_TRY(const Json count, countedUpdate(log));
  printCount(model.id, count);
  return {};
}

}  // namespace

Status benchDeviceStep(const DeviceStepBench& bench) {
  const TemporaryFolder folder;
  const char* wished = std::getenv(kLogVariable);
  const std::string log = wished != nullptr ? wished : folder.path() + "/device.jsonl";
  ::setenv(kLogVariable, log.c_str(), 1);  // before the device is loaded, which reads it then
  FATHOM_TRY(const torch::Device device, chooseDevice(bench.device));
  if (isOnHost(device) || standInName().empty())
    return usageError(
        Phrase::tr("device '%1' counts no operators")(bench.device),
        Phrase::tr("run it on the stand-in of the tests: LD_LIBRARY_PATH=build/release/device"));
  std::printf("%-11s %9s %7s %9s %8s %12s %11s %14s %7s %8s\n", "model", "operators", "waits", "to device",
              "to host", "bytes there", "bytes back", "peak of memory", "of ours", "launches");
  for (const CountedModel& model : countedModels()) {
    if (std::find(bench.models.begin(), bench.models.end(), model.id) == bench.models.end()) continue;
    FATHOM_CHECK(countOne(bench, model, log));
  }
  return {};
}

}  // namespace fathom
