// SPDX-License-Identifier: Apache-2.0
// Every task trained in float64 on the device and on the processor: each number that it logs.
#include <algorithm>

#include "core/base/files/temporary_folder.h"
#include "core/kernels/device_address.h"
#include "core/record/events/event_reader.h"
#include "core/record/presets.h"
#include "core/tasks/task.h"
#include "core/train/loop/training_run.h"
#include "tests/device/device_checks.h"
#include "tests/device/task_runs.h"

namespace fathom::device_checks {

namespace {

constexpr double kSame = 1e-12;       // of the stand-in, which computes with the processor's operators
constexpr double kSameOnCard = 1e-9;  // sums of other orders, over a few updates

}  // namespace

const std::vector<CheckedTask>& checkedTasks() {
  const Json narrow = {
      {"model.width", 48}, {"model.heads", 4}, {"model.feed_forward", 64}, {"encoder.layers", 2}};
  // A stand-in proves the same with narrow models; a card has work worth its while.
  const Json small = deviceStandsIn() ? narrow : Json::object();
  const auto with = [&small](Json options) {
    options.update(small);
    return options;
  };
  Json questions = narrow;
  questions.update({{"model.sql_sp.question_dropout", 0},
                    {"model.sql_sp.schema_dropout", 0},
                    {"model.sql_sp.vector_dropout", 0},
                    {"spider.max_train", 24},
                    {"spider.max_validation", 6},
                    {"validation.beam", 2},
                    {"validation.max_steps", 20}});
  static const std::vector<CheckedTask> kTasks = {
      {"nmt", "sample_small", {{"data.vocabulary.size", 200}, {"data.max_pairs", 500}}},
      {"mlm", "mlm_quick",
       with({{"mlm.documents", "blank_line"},
             {"mlm.sentences", "line"},
             {"mlm.vocabulary.size", 300},
             {"mlm.duplicates", 1}})},
      {"causal_lm", "causal_lm_quick", with({{"causal_lm.vocabulary.size", 300}})},
      {"text_to_sql", "sql_sp_quick", questions},
      {"glue", "glue_sample", small},
      {"reclor", "reclor_sample", small},
      {"squad", "squad_sample", small},
      {"wikihop", "wikihop_etc_sample", small},
      {"hotpotqa", "hotpotqa_etc_quick", narrow},
      {"natural_questions", "nq_etc_quick", Json::object()},
      {"openkp", "openkp_etc_quick", Json::object()}};
  return kTasks;
}

TaskNumbers loggedNumbers(const std::string& run) {
  EventReader reader(run + "/attempts/0001/events.jsonl");
  TaskNumbers numbers;
  const std::vector<Event> events = reader.poll().value();
  for (const Event& event : events) {
    for (const auto& [name, value] : event.scalars)
      if (!name.ends_with("_s"))
        numbers.logged.push_back({event.kind + " " + name, value});
      else if (name == "tokens_per_s")
        numbers.rates.push_back(value);
    if (event.members.contains("graphs"))
      numbers.graphs = event.members.at("graphs").at("launched").get<std::int64_t>();
  }
  return numbers;
}

Result<RunConfig> trainingOf(const CheckedTask& task, const Json& data, const std::string& device,
                             const Json& more) {
  FATHOM_TRY(const Preset preset, findPreset(task.preset));
  RunConfig config;
  config.name = task.id;
  config.options = preset.options;
  config.options.update(data);
  config.options.update(task.options);
  config.options.update({{"training.length", "4u"},
                         {"lr_schedule.warmup", 1},
                         {"validation.interval", "4u"},
                         {"validation.score_interval", "4u"},
                         {"checkpoint.interval", "4u"},
                         {"model.dropout", 0},
                         {"model.attention_dropout", 0},
                         {"divergence.not_learning_after", 0},
                         {"precision", "float64"},
                         {"threads", 1},
                         {"device", device}});
  config.options.update(more);
  return config;
}

Result<TaskNumbers> trained(const CheckedTask& task, const Json& data, const std::string& device,
                            const std::string& run, const Json& more) {
  TrainRequest training;
  training.runPath = run;
  FATHOM_TRY(training.config, trainingOf(task, data, device, more));
  training.configFile = task.preset;
  training.watchStandardInput = training.watchSignals = false;
  const RunReport report = trainRun(training);
  if (!report.error.message.empty()) return report.error;
  return loggedNumbers(run);
}

namespace {

// Every task of tasks.list: one without a small model here fails.
int checkTask(const TaskEntry& entry, double tolerance) {
  const auto found = std::find_if(checkedTasks().begin(), checkedTasks().end(),
                                  [&](const CheckedTask& one) { return entry.id == one.id; });
  if (found == checkedTasks().end() || entry.madeData.write == nullptr) {
    std::printf("FAILED %s: no small model, or no made data to train it with\n", entry.id.c_str());
    return 1;
  }
  const CheckedTask& task = *found;
  const TemporaryFolder folder;
  const auto sample = entry.madeData.write(folder.path() + "/data", 1, MadeDataSize::Check);
  Comparison comparison;
  comparison.tolerance = tolerance;
  TaskNumbers numbers[2];
  int side = 0;
  for (const std::string where : {"cpu", "cuda:0"}) {
    auto one = sample.ok() ? trained(task, sample->options, where, folder.path() + "/" + where)
                           : Result<TaskNumbers>(sample.error());
    if (!one.ok()) {
      std::printf("FAILED %s on %s: %s\n", task.id, where.c_str(), one.error().text().c_str());
      return 1;
    }
    numbers[side++] = std::move(*one);
  }
  if (numbers[0].logged.size() < 7 || numbers[0].logged.size() != numbers[1].logged.size())
    comparison.fail(std::string(task.id) + ": other numbers are logged");
  for (std::size_t i = 0; i < std::min(numbers[0].logged.size(), numbers[1].logged.size()); ++i)
    comparison.close(at::scalar_tensor(numbers[0].logged[i].second, torch::kFloat64),
                     at::scalar_tensor(numbers[1].logged[i].second, torch::kFloat64),
                     std::string(task.id) + ", " + numbers[0].logged[i].first);
  comparison.report(task.id);
  return comparison.failures > 0 ? 1 : 0;
}

}  // namespace

int checkTasks(const Words& words) {
  static_cast<void>(device());
  const double tolerance = deviceStandsIn() ? kSame : kSameOnCard;
  int worst = 0, tried = 0;
  for (const TaskEntry& entry : taskEntries()) {
    if (!words.empty() && std::find(words.begin(), words.end(), entry.id) == words.end()) continue;
    ++tried;
    worst = std::max(worst, checkTask(entry, tolerance));
    std::fflush(stdout);
  }
  if (tried == 0) std::fprintf(stderr, "device_checks tasks: no task '%s'\n", words.front().c_str());
  return tried == 0 ? 2 : worst;
}

}  // namespace fathom::device_checks
