// SPDX-License-Identifier: Apache-2.0
#include "core/engine/bench/bench_data_parallel.h"

#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/temporary_folder.h"
#include "core/base/json/json_text.h"
#include "core/engine/bench/bench_peer.h"
#include "core/record/events/event_reader.h"
#include "core/record/presets.h"
#include "core/record/runs/run_config.h"
#include "core/record/runs/run_folder.h"
#include "core/tasks/task.h"

namespace fathom {

namespace {

constexpr std::int64_t kWarmUp = 10;  // updates that are not measured

// One training: seconds and processor seconds of its measured updates, its last loss, and the seconds from
// the start of its process until the ranks are together and begin.
struct Trained {
  double seconds = 0, cpu = 0, loss = 0, start = 0;
};

Result<std::string> writeConfig(const DataParallelBench& bench, const std::string& folder) {
  FATHOM_TRY(const Preset preset, findPreset(bench.preset));
  RunConfig config;
  config.name = bench.preset;
  config.options = preset.options;
  const TaskEntry* task = taskOf(preset.options);
  if (task == nullptr || task->madeData.write == nullptr)
    return usageError(Phrase::tr("preset '%1' has no made data to be measured on")(bench.preset));
  FATHOM_TRY(const MadeData made, task->madeData.write(folder, 1, MadeDataSize::Training));
  config.options.update(made.options);
  config.options.update({{"training.accumulation", bench.ranks},
                         {"validation.interval", "never"},
                         {"validation.score_interval", "never"},
                         {"checkpoint.interval", "never"},
                         {"lr_schedule.warmup", kWarmUp / 2},
                         {"divergence.not_learning_after", 0},
                         {"device", "cpu"},
                         {"threads", 1}});
  const std::string file = folder + "/config.json";
  FATHOM_CHECK(writeFileAtomically(file, jsonText(runConfigToJson(config), 1)));
  return file;
}

// Processor seconds of the engine and of the ranks that it has waited for.
Result<double> cpuOf(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t process = -1;
  const int code = ::posix_spawn(&process, arguments[0], nullptr, nullptr, arguments.data(), environ);
  if (code != 0) return systemError(Phrase::tr("cannot start"), words.front(), code);
  int status = 0;
  rusage used{};
  ::wait4(process, &status, 0, &used);
  if (status != 0) return internalError(Phrase::tr("a training of the bench failed"));
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

// Times of the updates behind `from`, and the last loss.
Trained readEvents(const std::string& run, std::int64_t from) {
  Trained trained;
  EventReader reader(RunFolder(run).eventsPath(1));
  double begin = 0;
  while (true) {
    const auto events = reader.poll();
    if (!events || events->empty()) return trained;
    for (const Event& event : *events) {
      if (event.kind == "run_started") trained.start = event.time;
      if (event.kind != "step") continue;
      if (event.step == from) begin = event.seconds;
      trained.seconds = event.seconds - begin;
      trained.loss = event.members.at("m").at("loss").get<double>();
    }
  }
}

// The cost of a run's start is taken off: the same is trained once for the warm-up alone.
Result<Trained> trainOnce(const DataParallelBench& bench, const std::string& config, const std::string& run,
                          std::int64_t ranks) {
  const std::string engine = programFolder() + "/fathom-engine";
  const auto words = [&](const std::string& folder, std::int64_t updates) {
    std::vector<std::string> line{engine, "train", "--config", config, "--run", folder};
    std::vector<std::string> more = bench.assignments;
    more.push_back("parallel.ranks=" + std::to_string(ranks));
    more.push_back("training.length=" + std::to_string(updates) + "u");
    for (const std::string& assignment : more) line.insert(line.end(), {"--set", assignment});
    return line;
  };
  FATHOM_TRY(const double start, cpuOf(words(run + "-start", kWarmUp)));
  const auto began = std::chrono::system_clock::now().time_since_epoch();
  FATHOM_TRY(const double all, cpuOf(words(run, kWarmUp + bench.updates)));
  Trained trained = readEvents(run, kWarmUp);
  trained.start -= std::chrono::duration<double>(began).count();
  const auto updates = static_cast<double>(bench.updates);
  trained.seconds /= updates;
  trained.cpu = (all - start) / updates;
  return trained;
}

}  // namespace

Status benchDataParallel(const DataParallelBench& bench) {
  const TemporaryFolder folder;
  FATHOM_TRY(const std::string config, writeConfig(bench, folder.path()));
  std::vector<double> seconds, cpu, begin;
  double gap = 0;
  for (std::int64_t round = 0; round < bench.rounds; ++round) {
    const std::string tag = folder.path() + "/" + std::to_string(round);
    FATHOM_TRY(const Trained one, trainOnce(bench, config, tag + "-one", 1));
    FATHOM_TRY(const Trained many, trainOnce(bench, config, tag + "-many", bench.ranks));
    gap = std::max(gap, std::abs(one.loss - many.loss) / std::abs(one.loss));
    std::printf(
        "one process %8.4f s (cpu %8.4f)   %d ranks %8.4f s (cpu %8.4f) an update, %.2f s and %.2f s to "
        "begin\n",
        one.seconds, one.cpu, static_cast<int>(bench.ranks), many.seconds, many.cpu, one.start, many.start);
    begin.push_back(many.start - one.start);
    seconds.push_back(one.seconds / many.seconds);
    cpu.push_back(many.cpu / one.cpu);
  }
  std::printf(
      "%s: %.2f times as fast, %.2f times the processor time, losses %.1e apart, %.2f s more to begin\n",
      bench.preset.c_str(), median(seconds), median(cpu), gap, median(begin));
  double load = 0;
  if (::getloadavg(&load, 1) == 1) std::printf("load %.1f\n", load);
  constexpr double kMostGap = 1e-4;  // float32, sums in another order
  return gap <= kMostGap ? Status()
                         : Status(numericError(Phrase::tr("ranks train another run than one process")));
}

}  // namespace fathom
