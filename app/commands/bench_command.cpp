// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>

#include "app/child_process.h"
#include "app/commands/command.h"
#include "app/run_json.h"
#include "app/text_table.h"
#include "core/library/curve_index.h"
#include "core/record/event_log.h"
#include "views/panels/curve_bench.h"

namespace fathom {

namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

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

// A run with `points` updates of two metrics, as the engine writes it.
Status writeRun(const std::string& path, std::int64_t points) {
  RunIdentity identity;
  identity.uuid = "00000000-0000-4000-8000-000000000001";
  identity.name = "bench";
  FATHOM_TRY(const RunFolder folder, RunFolder::create(path, identity));
  FATHOM_TRY(const int attempt, folder.beginAttempt(Json::object()));
  FATHOM_TRY(const auto log, EventLog::create(folder.attemptPath(attempt) + "/events.jsonl"));
  for (std::int64_t step = 1; step <= points; ++step) {
    const double loss =
        5 / std::sqrt(static_cast<double>(step)) + 0.1 * std::sin(static_cast<double>(step) * 12.9898);
    FATHOM_CHECK(log->appendStep(step, step / 1000, step * 1000, 1e-3, {{"loss", loss}}));
  }
  return log->sync();
}

Result<std::vector<Measured>> measureCurves(std::int64_t points) {
  const QTemporaryDir folder;
  const std::string project = folder.path().toStdString() + "/bench.fathom";
  FATHOM_TRY(const auto library, ProjectLibrary::create(project));
  const std::string run = library->runsPath() + "/bench";
  std::vector<Measured> measured;
  auto start = Clock::now();
  FATHOM_CHECK(writeRun(run, points));
  measured.push_back({"write", millisecondsSince(start)});
  FATHOM_TRY(auto index, CurveIndex::open(project));
  start = Clock::now();
  FATHOM_TRY(const ScalarSeries first, index->series(run, "loss"));
  measured.push_back({"open the first time", millisecondsSince(start)});
  index.reset();
  start = Clock::now();
  FATHOM_TRY(index, CurveIndex::open(project));
  FATHOM_TRY(const ScalarSeries again, index->series(run, "loss"));
  measured.push_back({"reopen", millisecondsSince(start)});
  if (first.value.size() != static_cast<std::size_t>(points) || again.value != first.value) {
    return internalError("the curve that was read is not the one that was written");
  }
  const CurveBench drawn = benchCurves(static_cast<std::size_t>(points));
  measured.push_back({"fill the panel", drawn.fill});
  measured.push_back({"first draw", drawn.firstDraw});
  measured.push_back({"worst pan frame", drawn.worstPan});
  measured.push_back({"median pan frame", drawn.medianPan});
  measured.push_back({"worst pan frame, smoothed", drawn.worstSmoothed});
  measured.push_back({"worst crosshair", drawn.hover});
  return measured;
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
  FATHOM_TRY(const auto measured,
             what == "start" ? measureStart(stop) : measureCurves(context.options.integer("points")));
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
