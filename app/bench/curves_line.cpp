// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>

#include "app/bench/bench_line.h"
#include "app/bench/curve_bench.h"
#include "app/bench/point_log_bench.h"
#include "app/bench/run_table_bench.h"

namespace fathom {

namespace {

constexpr int kManyCurves = 40, kManyRuns = 10'000;
constexpr std::size_t kPointsOfMany = 100'000;

Result<std::vector<Measured>> measureCurves(std::int64_t points, Progress& progress, const StopToken& stop) {
  const QTemporaryDir folder;
  FATHOM_TRY(const PointLogBench log, benchPointLog(folder.path().toStdString(), points, 1, progress, stop));
  const CurveBench drawn = benchCurves(static_cast<std::size_t>(points));
  const HoverBench hover = benchHover(kManyCurves, kPointsOfMany);
  const RunTableBench table = benchRunTable(kManyRuns);
  return std::vector<Measured>{{"write", 1000 * log.writeSeconds},
                               {"read", 1000 * log.readSeconds},
                               {"index", 1000 * log.indexSeconds},
                               {"reopen", 1000 * log.reopenSeconds},
                               {"fill the panel", drawn.fill},
                               {"first draw", drawn.firstDraw},
                               {"worst pan frame", drawn.worstPan},
                               {"median pan frame", drawn.medianPan},
                               {"worst pan frame, smoothed", drawn.worstSmoothed},
                               {"worst crosshair", drawn.hover},
                               {"crosshair over 40 curves of 100,000 points", hover.median},
                               {"the same, worst", hover.worst},
                               {"fill the run table with 10,000 runs", table.fill},
                               {"scroll it, a frame", table.medianScroll},
                               {"the same, worst", table.worstScroll},
                               {"an eye", table.worstEye},
                               {"open a group", table.worstOpen}};
}

Result<CommandOutput> benchOfCurves(const CommandContext& context, Progress& progress,
                                    const StopToken& stop) {
  const double loadBefore = systemLoad();
  const std::int64_t points = context.options.integer("points");
  progress.begin("measuring", "", -1);
  FATHOM_TRY(const auto measured, measureCurves(points, progress, stop));
  CommandOutput output = measuredOutput("curves", loadBefore, measured);
  output.json["points"] = points;
  return output;
}

}  // namespace

Command curvesLineEntry() {
  return {.id = "curves",
          .title = "Curves",
          .description = "Curves of many points: write, read, reopen, draw, pan.",
          .group = "Benches",
          .fields = {integerField("points", "Points", "Points of the curve.", 1'000'000).between(10, 1e8)},
          .needsProject = false,
          .program = kBenchProgram,
          .needsPainter = true,
          .run = benchOfCurves};
}

}  // namespace fathom
