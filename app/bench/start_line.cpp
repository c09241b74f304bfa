// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "app/bench/bench_line.h"
#include "app/runner/child_process.h"

namespace fathom {

namespace {

using Clock = std::chrono::steady_clock;

// Process start to the first painted window, best and worst of five.
Result<std::vector<Measured>> measureStart(const StopToken& stop) {
  ChildSpec spec;
  FATHOM_TRY(spec.program, fathomProgram());
  const QTemporaryDir folder;
  spec.environment = {{"FATHOM_REPORT_FIRST_PAINT", "1"},
                      {"QT_QPA_PLATFORM", "offscreen"},
                      {"XDG_CONFIG_HOME", folder.path().toStdString()},
                      {"XDG_DATA_HOME", folder.path().toStdString()}};
  std::vector<double> times;
  for (int i = 0; i < 5; ++i) {
    const auto start = Clock::now();
    FATHOM_TRY(const ChildOutput output, runChild(spec, {30, 1 << 20}, stop));
    const std::int64_t painted = std::strtoll(output.out.c_str(), nullptr, 10);
    if (output.exitCode != 0 || painted == 0) {
      return internalError("the window " + describeExit(output.exitCode).english() +
                           " without being painted; " + output.err);
    }
    const Clock::time_point end{Clock::duration(painted)};
    times.push_back(std::chrono::duration<double, std::milli>(end - start).count());
  }
  std::sort(times.begin(), times.end());
  return std::vector<Measured>{
      {"best", times.front()}, {"median", times[times.size() / 2]}, {"worst", times.back()}};
}

Result<CommandOutput> benchOfStart(const CommandContext&, Progress& progress, const StopToken& stop) {
  const double loadBefore = systemLoad();
  progress.begin("measuring", "", -1);
  FATHOM_TRY(const auto measured, measureStart(stop));
  return measuredOutput("start", loadBefore, measured);
}

}  // namespace

Command startLineEntry() {
  return {.id = "start",
          .title = "Start of the window",
          .description = "Process start to the first painted window, best and worst of five.",
          .group = "Benches",
          .needsProject = false,
          .program = kBenchProgram,
          .run = benchOfStart};
}

}  // namespace fathom
