// SPDX-License-Identifier: Apache-2.0
// Ranks on cards (docs/parallel.md): sums by NCCL, and trainings of a rank a card against one process.
#include <ATen/Functions.h>
#include <dlfcn.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <torch/csrc/distributed/c10d/HashStore.hpp>

#include "core/base/files/atomic_file.h"
#include "core/base/files/temporary_folder.h"
#include "core/base/json/json_text.h"
#include "core/kernels/device_address.h"
#include "core/tasks/task.h"
#include "core/train/parallel/device_sum.h"
#include "core/train/parts/compute_device.h"
#include "tests/device/device_checks.h"
#include "tests/device/task_runs.h"
#include "tests/unit/support_waiting.h"

extern char** environ;

namespace fathom::device_checks {

namespace {

constexpr const char* kRankTasks[] = {"nmt", "glue", "mlm"};
constexpr std::size_t kMostRanks = 8;
constexpr double kSameRanks = 1e-9;  // of float64: sums of other orders

struct OneRank {
  c10::intrusive_ptr<c10d::Store> store = c10::make_intrusive<c10d::HashStore>();
  NcclPlace place{&store, 0, 1, 0, 30'000, ""};
};

// Sums over a group of one rank, which ends well, and of another, which is broken off.
int checkAlone() {
  Comparison comparison;
  for (const bool ordered : {false, true}) {
    const OneRank own;
    DeviceSum sum(*ncclPlugin().table, own.place, ordered);
    for (const auto type : {torch::kFloat32, torch::kFloat64}) {
      const torch::Tensor numbers = at::arange(1000, type).div(7);
      const torch::Tensor flat = numbers.to(device());
      sum.add(flat);
      if (!test::waitFor([&] { return sum.done(); })) {
        comparison.fail("no sum for 20 s");
        break;
      }
      sum.take();
      comparison.close(numbers, flat, ordered ? "sum in order" : "sum");
    }
    if (ordered) sum.breakOff();
  }
  comparison.report("NCCL, one rank");
  return comparison.failures > 0 ? 1 : 0;
}

// This program as the engine, which starts the ranks by itself.
bool trainInProcesses(const std::string& config, const std::string& run) {
  std::vector<std::string> words{"device_checks", "engine", "train", "--config", config, "--run", run};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t process = -1;
  int status = -1;
  return ::posix_spawn(&process, "/proc/self/exe", nullptr, nullptr, arguments.data(), environ) == 0 &&
         ::waitpid(process, &status, 0) == process && status == 0;
}

int checkRanksOf(const CheckedTask& task, std::size_t ranks, double tolerance) {
  const TemporaryFolder folder;
  const auto made = findTask(task.id)->madeData.write(folder.path() + "/data", 1, MadeDataSize::Check);
  Comparison comparison;
  comparison.tolerance = tolerance;
  TaskNumbers numbers[2];
  for (const std::size_t count : {std::size_t{1}, ranks}) {
    const std::string run = folder.path() + "/" + std::to_string(count);
    const Json more = {{"parallel.ranks", count}, {"training.accumulation", ranks}, {"model.dropout", 0.1}};
    const auto config =
        made.ok() ? trainingOf(task, made->options, "cuda:0", more) : Result<RunConfig>(made.error());
    if (!config.ok() || !writeFileAtomically(run + ".json", jsonText(runConfigToJson(*config), 1)).ok() ||
        !trainInProcesses(run + ".json", run)) {
      std::printf("FAILED %s: %zu ranks did not train\n", task.id, count);
      return 1;
    }
    numbers[count == 1 ? 0 : 1] = loggedNumbers(run);
  }
  const auto &one = numbers[0].logged, &many = numbers[1].logged;
  if (one.size() < 8 || one.size() != many.size())
    comparison.fail(std::string(task.id) + ": other numbers are logged");
  for (std::size_t i = 0; i < std::min(one.size(), many.size()); ++i)
    comparison.close(at::scalar_tensor(one[i].second, torch::kFloat64),
                     at::scalar_tensor(many[i].second, torch::kFloat64),
                     std::string(task.id) + ", " + one[i].first);
  comparison.report(std::string(task.id) + ", " + std::to_string(ranks) + " ranks");
  return comparison.failures > 0 ? 1 : 0;
}

// LibTorch's own exception is caught, and the process lives on.
int checkWithoutCard(const std::string& problem) {
  const bool loaded = ::dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_NOLOAD) != nullptr;
  if (!loaded || ncclPlugin().table == nullptr) {
    std::fprintf(stderr, "device_checks ranks: %s\n", loaded ? ncclPlugin().reason.c_str() : problem.c_str());
    return 2;
  }
  const OneRank own;
  std::string words;
  try {
    const DeviceSum sum(*ncclPlugin().table, own.place, false);
  } catch (const std::exception& failure) {
    words = failure.what();
  }
  std::printf("without a card (%s), made by %s: %s\n", problem.c_str(), ncclPlugin().table->made,
              words.c_str());
  return words.find("only supported with GPUs") != std::string::npos ? 0 : 1;
}

}  // namespace

int checkRanks(const Words& words) {
  if (!cudaProblem().empty()) return checkWithoutCard(cudaProblem());
  static_cast<void>(device());
  if (ncclPlugin().table == nullptr) {
    std::fprintf(stderr, "device_checks ranks: %s\n", ncclPlugin().reason.c_str());
    return 2;
  }
  int worst = checkAlone();
  const std::size_t cards =
      std::min(computeDevices().size() - 1, kMostRanks);  // the last one is the processor
  if (cards < 2) {
    std::printf("1 device: several ranks were not tried\n");
    return worst;
  }
  const double tolerance = deviceStandsIn() ? 0 : kSameRanks;
  for (const CheckedTask& task : checkedTasks()) {
    const bool asked = words.empty() ? std::find(std::begin(kRankTasks), std::end(kRankTasks),
                                                 std::string(task.id)) != std::end(kRankTasks)
                                     : std::find(words.begin(), words.end(), task.id) != words.end();
    if (asked) worst = std::max(worst, checkRanksOf(task, cards, tolerance));
    std::fflush(stdout);
  }
  return worst;
}

}  // namespace fathom::device_checks
