// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/foreign_bench.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <thread>

#include "app/bench/bench_child.h"
#include "app/bench/made_sources.h"
#include "app/runner/followed_sources.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/temporary_folder.h"
#include "core/base/json/json_members.h"
#include "core/base/json/json_reals.h"
#include "core/base/numbers/not_a_number.h"
#include "core/base/threads/thread_start.h"
#include "core/imports/import_entry.h"
#include "core/imports/preview/source_places.h"
#include "core/imports/preview/source_preview.h"
#include "core/library/records/project_library.h"

namespace fathom {

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kTags = 5, kManyFolders = 1000, kWideScalars = 20'000, kWideSteps = 20, kIdleSources = 200;
constexpr std::size_t kWandbBytes = 100'000'000;
constexpr double kBytesOfAMegabyte = 1e6;

double secondsFrom(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double processSeconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

// All numbers of a source by which two readers are compared: how many there are, and their sum.
struct SourceSum {
  std::int64_t points = 0;
  double sum = 0, seconds = 0;
};

Result<SourceSum> readHere(const std::string& path, const StopToken& stop) {
  SourceSum found;
  const auto start = Clock::now();
  FATHOM_TRY(const ImportEntry* entry, recognisedImport(path));
  FATHOM_TRY(const auto source, openSource(*entry, path, {}));
  FATHOM_CHECK(readWhole(*source, stop, [&found](const ImportedRun& run) -> Status {
    found.points += static_cast<std::int64_t>(run.points.size());
    for (const ImportedPoint& point : run.points) found.sum += point.value;
    return {};
  }));
  found.seconds = secondsFrom(start);
  return found;
}

ChildSpec pythonSpec(const std::string& packages, std::vector<std::string> arguments) {
  ChildSpec spec;
  spec.program = "/usr/bin/env";
  spec.arguments = {"python3", besideSources("packaging/bench_peers/foreign.py"), "--packages", packages};
  spec.arguments.insert(spec.arguments.end(), arguments.begin(), arguments.end());
  return spec;
}

std::string loggerPackages() {
  return besideSources("build/bench-peers/loggers");
}

// A peer's reading of the folder; "missing" in its answer where it is not there.
Result<SourceSum> readByPeer(const char* how, const std::string& folder, std::string& missing,
                             const StopToken& stop) {
  SourceSum found;
  if (loggerPackages().empty()) {
    missing = "packaging/bench-peers.sh fetches it";
    return found;
  }
  FATHOM_TRY(const TimedRun run, timedRun(pythonSpec(loggerPackages(), {how, folder}), how, stop));
  missing = memberText(run.json, "missing");
  found.points = memberInteger(run.json, "points", 0);
  found.sum = memberReal(run.json, "sum", 0);
  found.seconds = memberReal(run.json, "seconds", 0);
  return found;
}

Status sameNumbers(const char* who, const SourceSum& ours, const SourceSum& theirs) {
  if (theirs.points == ours.points && std::abs(theirs.sum - ours.sum) <= 1e-9 * std::abs(ours.sum)) return {};
  return dataError(std::string(who) + " read " + std::to_string(theirs.points) + " points with the sum " +
                       std::to_string(theirs.sum) + ", we " + std::to_string(ours.points) + " with " +
                       std::to_string(ours.sum),
                   "times of different results are not compared");
}

Result<double> importWhole(const std::string& source, const std::string& project, const StopToken& stop) {
  FATHOM_TRY(const std::string program, fathomProgram());
  FATHOM_TRY(const auto made, ProjectLibrary::create(project));
  ChildSpec spec;
  spec.program = program;
  spec.arguments = {"import-run", source, "--project", project, "--json"};
  FATHOM_TRY(const TimedRun run, timedRun(spec, "import-run", stop));
  return run.milliseconds / 1000;
}

// The share of a core that sources take which do not grow, as run-queue follows them.
Result<double> idleShareOf(const std::string& folder, double seconds, const StopToken& stop) {
  FollowedSources followed([](const std::string&) {});
  FATHOM_CHECK(makeFolders(folder + "/runs"));
  for (int i = 0; i < kIdleSources; ++i) {
    const std::string source = folder + "/source_" + std::to_string(i);
    FATHOM_CHECK(makeFolders(source));
    FATHOM_CHECK(writeEventRuns(source, 1, kTags, 50));
    SourceFollower::Options options{source, folder + "/runs", followRecord(folder, source), {}};
    options.import.follow = true;
    FATHOM_CHECK(followed.open(std::move(options)));
  }
  const StopToken until;
  double used = 0, took = 0;
  // An exception would end the process; it ends the measurement.
  std::thread watch = startThread([&] {
    try {
      std::this_thread::sleep_for(
          std::chrono::duration<double>(seconds));  // all that is there is read meanwhile
      const double before = processSeconds();
      const auto start = Clock::now();
      while (secondsFrom(start) < seconds && !stop.stopRequested())
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      used = processSeconds() - before;
      took = secondsFrom(start);
    } catch (...) {
      took = 0;
    }
    until.requestStop();
  });
  const Status status = followed.run(until);
  watch.join();
  FATHOM_CHECK(status);
  if (took <= 0) return internalError("the idle sources could not be watched");
  return used / took;
}

double medianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

// Transformers and torch, where packaging/bench-peers.sh has put them.
std::string modelPackages() {
  const std::string packages = besideSources("build/bench-peers/python");
  const std::string torch = besideSources("build/deps/libtorch");
  return packages.empty() ? std::string() : packages + ":" + torch;
}

// "entropy" of an answer, head by head.
std::vector<double> entropiesIn(const Json& answer) {
  std::vector<double> all;
  for (const Json& layer : memberList(answer, "entropy"))
    for (const Json& head : layer) all.push_back(realOr(head, kNaN));
  return all;
}

Status sameEntropies(const std::vector<double>& eager, const std::vector<double>& ours) {
  double worst = eager.empty() || eager.size() != ours.size() ? HUGE_VAL : 0;
  for (std::size_t i = 0; i < ours.size() && i < eager.size(); ++i)
    worst = std::max(worst, std::isnan(ours[i]) ? HUGE_VAL : std::abs(eager[i] - ours[i]));
  if (worst <= 1e-5) return {};
  return dataError("entropies of eager attention and of fathom.capture differ by " + std::to_string(worst),
                   "times of different results are not compared");
}

Result<CaptureCost> captureCost(int tokens, const StopToken& stop) {
  const TemporaryFolder folder;
  CaptureCost cost;
  cost.tokens = tokens;
  if (modelPackages().empty()) {
    cost.missing = "packaging/bench-peers.sh fetches it";
    return cost;
  }
  std::map<std::string, Json> answers;
  for (const char* way : {"plain", "eager", "all", "eighth", "floor"}) {
    const ChildSpec spec =
        pythonSpec(modelPackages(), {"capture", folder.path(), "--module", besideSources("packaging/python"),
                                     "--tokens", std::to_string(tokens), "--way", way});
    FATHOM_TRY(const TimedRun run, timedRun(spec, way, stop));
    cost.missing = memberText(run.json, "missing");
    if (!cost.missing.empty()) return cost;
    answers[way] = run.json;
  }
  FATHOM_CHECK(sameEntropies(entropiesIn(answers["eager"]), entropiesIn(answers["all"])));
  const auto number = [&answers](const char* way, const char* key) {
    return memberReal(answers[way], key, 0);
  };
  cost.plain = number("plain", "seconds");
  cost.eager = number("eager", "seconds");
  cost.all = number("all", "seconds");
  cost.eighth = number("eighth", "seconds");
  cost.floor = number("floor", "seconds");
  cost.eagerMegabytes = number("eager", "bytes") / kBytesOfAMegabyte;
  cost.allMegabytes = number("all", "bytes") / kBytesOfAMegabyte;
  return cost;
}

}  // namespace

Result<ReadTimes> benchEventRuns(int runs, std::int64_t points, int rounds, const StopToken& stop) {
  const TemporaryFolder folder;
  const std::string source = folder.path() + "/logs";
  FATHOM_CHECK(writeEventRuns(source, runs, kTags, points));
  ReadTimes times;
  times.megabytes = static_cast<double>(bytesBelow(source)) / kBytesOfAMegabyte;
  for (int round = 0; round < rounds; ++round) {
    FATHOM_TRY(const SourceSum ours, readHere(source, stop));
    times.points = ours.points;
    times.ours.push_back(ours.seconds);
    FATHOM_TRY(const SourceSum slow, readByPeer("accumulate", source, times.accumulatorMissing, stop));
    if (times.accumulatorMissing.empty()) {
      FATHOM_CHECK(sameNumbers("EventAccumulator", ours, slow));
      times.accumulator.push_back(slow.seconds);
    }
    FATHOM_TRY(const SourceSum fast, readByPeer("serve", source, times.fastMissing, stop));
    if (times.fastMissing.empty()) {
      FATHOM_CHECK(sameNumbers("the data server", ours, fast));
      times.fast.push_back(fast.seconds);
    }
    const std::string project = folder.path() + "/p" + std::to_string(round) + ".fathom";
    FATHOM_TRY(const double whole, importWhole(source, project, stop));
    times.whole.push_back(whole);
    std::error_code ignored;
    std::filesystem::remove_all(project, ignored);
  }
  return times;
}

Result<ReaderLimits> benchReaderLimits(double seconds, const StopToken& stop) {
  const TemporaryFolder folder;
  ReaderLimits limits;
  const std::string wide = folder.path() + "/wide", many = folder.path() + "/many";
  FATHOM_CHECK(makeFolders(wide));
  FATHOM_CHECK(writeWideRun(wide, kWideScalars, kWideSteps));
  FATHOM_TRY(const SourceSum read, readHere(wide, stop));
  if (read.points != std::int64_t{kWideScalars} * kWideSteps)
    return dataError("of a wide run " + std::to_string(read.points) + " points were read");
  limits.wideStep = read.seconds;

  FATHOM_CHECK(writeEventRuns(many, kManyFolders, kTags, 100));
  const auto start = Clock::now();
  FATHOM_TRY(const auto places, placesIn(many, stop));
  FATHOM_TRY(const SourcePreview listed, previewSource(places.front().path, {}, stop, 60));
  limits.manyFolders = secondsFrom(start);
  if (listed.runs.size() != kManyFolders)
    return dataError("of 1,000 sub-folders " + std::to_string(listed.runs.size()) + " were listed");

  const std::string wandb = folder.path() + "/run-made1234.wandb";
  FATHOM_TRY(const std::int64_t logged, writeWandbRun(wandb, kWandbBytes));
  FATHOM_TRY(const SourceSum taken, readHere(wandb, stop));
  if (taken.points != logged)
    return dataError("of " + std::to_string(logged) + " points of a .wandb file " +
                     std::to_string(taken.points) + " were read");
  limits.wandb = taken.seconds;
  limits.wandbMegabytes = static_cast<double>(fileBytes(wandb)) / kBytesOfAMegabyte;

  FATHOM_TRY(limits.idleShare, idleShareOf(folder.path() + "/idle.fathom", seconds, stop));
  return limits;
}

Result<std::vector<CaptureCost>> benchCapture(const StopToken& stop) {
  std::vector<CaptureCost> costs;
  for (const int tokens : {128, 512}) {
    FATHOM_TRY(const CaptureCost cost, captureCost(tokens, stop));
    costs.push_back(cost);
  }
  return costs;
}

Result<LogTimes> benchLogging(int steps, int rounds, const StopToken& stop) {
  const TemporaryFolder folder;
  LogTimes times;
  const std::string module = besideSources("packaging/python");
  // As much Python as a call of ours, which writes nothing, follows it.
  for (const char* writer : {"fathom", "floor", "tensorboard", "wandb", "trackio"}) {
    LogCost cost{writer, {}, 0, 0};
    const double ours = times.writers.empty() ? 0 : times.writers.front().median;
    FATHOM_TRY(const TimedRun run,
               timedRun(pythonSpec(loggerPackages(),
                                   {"log", folder.path(), "--module", module, "--writer", writer, "--steps",
                                    std::to_string(steps), "--microseconds", std::to_string(ours)}),
                        writer, stop));
    cost.missing = memberText(run.json, "missing");
    cost.median = memberReal(run.json, "median_us", 0);
    cost.worst = memberReal(run.json, "p999_us", 0);
    times.writers.push_back(cost);
  }
  std::vector<double> plain, logged;
  for (int round = 0; round < rounds; ++round) {
    FATHOM_TRY(const TimedRun run,
               timedRun(pythonSpec(loggerPackages(), {"train", folder.path(), "--module", module}),
                        "a training", stop));
    plain.push_back(memberReal(run.json, "plain", 0));
    logged.push_back(memberReal(run.json, "logged", 0));
  }
  times.plain = medianOf(plain);
  times.logged = medianOf(logged);
  const auto [least, most] = std::minmax_element(plain.begin(), plain.end());
  times.noise = plain.empty() ? 0 : (*most - *least) / times.plain;
  return times;
}

}  // namespace fathom
