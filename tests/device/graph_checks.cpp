// SPDX-License-Identifier: Apache-2.0
// Trainings on the device with graphs (option device.graphs) and without: each logged number, and what the
// last updates did in a second.
#include <algorithm>
#include <numeric>

#include "core/base/files/temporary_folder.h"
#include "core/kernels/device_address.h"
#include "core/kernels/device_graph.h"
#include "core/tasks/task.h"
#include "tests/device/device_checks.h"
#include "tests/device/task_runs.h"

namespace fathom::device_checks {

namespace {

constexpr double kSameGraphs = 1e-9;  // of float64: products of other workspaces
constexpr std::size_t kTimed = 10;    // the last updates, all of them launched as graphs

// Tasks whose updates can be recorded, with dropout, until every shape has come back.
const Json kLong = {{"training.length", "60u"},      {"validation.interval", "60u"},
                    {"checkpoint.interval", "60u"},  {"validation.score_interval", "60u"},
                    {"model.bert.row_groups", 1},    {"model.dropout", 0.1},
                    {"model.attention_dropout", 0.1}};
constexpr const char* kRecorded[] = {"nmt", "mlm", "causal_lm", "glue", "squad", "reclor"};

double rateOf(const TaskNumbers& numbers) {
  const std::size_t count = std::min(kTimed, numbers.rates.size());
  const double sum =
      std::accumulate(numbers.rates.end() - static_cast<std::ptrdiff_t>(count), numbers.rates.end(), 0.0);
  return count > 0 ? sum / static_cast<double>(count) : 0;
}

int checkGraphsOf(const CheckedTask& task, double tolerance) {
  const TemporaryFolder folder;
  const auto made = findTask(task.id)->madeData.write(folder.path() + "/data", 1, MadeDataSize::Check);
  Comparison comparison;
  comparison.tolerance = tolerance;
  TaskNumbers numbers[2];
  int side = 0;
  for (const std::string graphs : {"off", "auto"}) {
    Json more = kLong;
    more["device.graphs"] = graphs;
    auto one = made.ok() ? trained(task, made->options, "cuda:0", folder.path() + "/" + graphs, more)
                         : Result<TaskNumbers>(made.error());
    if (!one.ok()) {
      std::printf("FAILED %s with graphs %s: %s\n", task.id, graphs.c_str(), one.error().text().c_str());
      return 1;
    }
    numbers[side++] = std::move(*one);
  }
  if (numbers[0].graphs != 0 || numbers[1].graphs < static_cast<std::int64_t>(kTimed))
    comparison.fail(std::string(task.id) + ": " + std::to_string(numbers[1].graphs) + " updates were graphs");
  const auto &without = numbers[0].logged, &with = numbers[1].logged;
  if (without.size() < 60 || without.size() != with.size())
    comparison.fail(std::string(task.id) + ": other numbers are logged");
  for (std::size_t i = 0; i < std::min(without.size(), with.size()); ++i)
    comparison.close(at::scalar_tensor(without[i].second, torch::kFloat64),
                     at::scalar_tensor(with[i].second, torch::kFloat64),
                     std::string(task.id) + ", " + without[i].first);
  comparison.report(task.id);
  if (!deviceStandsIn())
    std::printf("%s: %.4g tokens/s without graphs, %.4g with, in %lld of 60 updates\n", task.id,
                rateOf(numbers[0]), rateOf(numbers[1]), static_cast<long long>(numbers[1].graphs));
  return comparison.failures > 0 ? 1 : 0;
}

}  // namespace

int checkGraphs(const Words& words) {
  static_cast<void>(device());
  if (graphPlugin().table == nullptr) {
    std::fprintf(stderr, "device_checks graphs: %s\n", graphPlugin().reason.c_str());
    return 2;
  }
  const double tolerance = deviceStandsIn() ? 0 : kSameGraphs;
  int worst = 0, tried = 0;
  for (const CheckedTask& task : checkedTasks()) {
    const bool asked = words.empty() || std::find(words.begin(), words.end(), task.id) != words.end();
    if (!asked ||
        std::find(std::begin(kRecorded), std::end(kRecorded), std::string(task.id)) == std::end(kRecorded))
      continue;
    ++tried;
    worst = std::max(worst, checkGraphsOf(task, tolerance));
    std::fflush(stdout);
  }
  if (tried == 0) std::fprintf(stderr, "device_checks graphs: no task '%s'\n", words.front().c_str());
  return tried == 0 ? 2 : worst;
}

}  // namespace fathom::device_checks
