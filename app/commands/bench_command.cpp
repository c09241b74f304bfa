// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>

#include "app/child_process.h"
#include "app/commands/command.h"
#include "app/run_json.h"
#include "app/text_table.h"
#include "core/library/point_log_bench.h"
#include "views/panels/curve_bench.h"

namespace fathom {

namespace {

using Clock = std::chrono::steady_clock;

double systemLoad() {
  std::ifstream file("/proc/loadavg");
  double load = 0;
  file >> load;
  return load;
}

struct Measured {
  std::string what;
  double milliseconds;
};

Result<std::vector<Measured>> measureCurves(std::int64_t points, Progress& progress, const StopToken& stop) {
  const QTemporaryDir folder;
  FATHOM_TRY(const PointLogBench log, benchPointLog(folder.path().toStdString(), points, 1, progress, stop));
  const CurveBench drawn = benchCurves(static_cast<std::size_t>(points));
  return std::vector<Measured>{
      {"write", 1000 * log.writeSeconds},       {"read", 1000 * log.readSeconds},
      {"index", 1000 * log.indexSeconds},       {"reopen", 1000 * log.reopenSeconds},
      {"overview", 1000 * log.overviewSeconds}, {"fill the panel", drawn.fill},
      {"first draw", drawn.firstDraw},          {"worst pan frame", drawn.worstPan},
      {"median pan frame", drawn.medianPan},    {"worst pan frame, smoothed", drawn.worstSmoothed},
      {"worst crosshair", drawn.hover}};
}

// Process start to the first painted window, best and worst of five.
Result<std::vector<Measured>> measureStart(const StopToken& stop) {
  ChildSpec spec;
  spec.program = siblingProgram("fathom");
  if (spec.program.empty()) return resourceError("the program fathom was not found beside this one");
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
      return internalError("the window " + describeExit(output.exitCode) + " without being painted; " +
                           output.err);
    }
    const Clock::time_point end{Clock::duration(painted)};
    times.push_back(std::chrono::duration<double, std::milli>(end - start).count());
  }
  std::sort(times.begin(), times.end());
  return std::vector<Measured>{
      {"best", times.front()}, {"median", times[times.size() / 2]}, {"worst", times.back()}};
}

Result<CommandOutput> bench(const CommandContext& context, Progress& progress, const StopToken& stop) {
  const std::string what = context.options.text("what");
  const double loadBefore = systemLoad();
  progress.begin("measuring", "", -1);
  FATHOM_TRY(const auto measured, what == "start"
                                      ? measureStart(stop)
                                      : measureCurves(context.options.integer("points"), progress, stop));
  CommandOutput output;
  output.json = {{"format", 1}, {"bench", what}, {"load", loadBefore}, {"milliseconds", Json::object()}};
  if (what == "curves") output.json["points"] = context.options.integer("points");
  TextTable table({what, "ms"});
  for (const Measured& item : measured) {
    output.json["milliseconds"][item.what] = item.milliseconds;
    table.addRow({item.what, shownNumber(item.milliseconds)});
  }
  output.text =
      table.text() + "load before " + shownNumber(loadBefore) + (loadBefore > 0.3 ? "  (noisy)\n" : "\n");
  return output;
}

}  // namespace

Command benchCommandEntry() {
  Command command;
  command.id = "bench";
  command.title = QT_TRANSLATE_NOOP("Command", "Bench");
  command.description = QT_TRANSLATE_NOOP(
      "Command",
      "Measures this program: curves of many points (write, reopen, draw, pan) or the start of the window.");
  command.group = QT_TRANSLATE_NOOP("Command", "Tools");
  command.needsProject = false;
  command.needsPainter = true;
  OptionField what = choiceField("what", QT_TRANSLATE_NOOP("Command", "What"),
                                 QT_TRANSLATE_NOOP("Command", "What is measured."),
                                 {{"curves", QT_TRANSLATE_NOOP("Command", "Curves")},
                                  {"start", QT_TRANSLATE_NOOP("Command", "Start of the window")}});
  command.fields = {what,
                    integerField("points", QT_TRANSLATE_NOOP("Command", "Points"),
                                 QT_TRANSLATE_NOOP("Command", "Points of the curve."), 1'000'000, 10, 1e8)};
  command.required = {"what"};
  command.positional = "what";
  command.run = bench;
  return command;
}

}  // namespace fathom
