// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <string_view>

#include "app/bench/curve_bench.h"
#include "app/bench/figure_peer_bench.h"
#include "app/bench/review_bench.h"
#include "app/bench/spider_match_bench.h"
#include "app/command.h"
#include "app/predictions/spider_inputs.h"
#include "app/runner/child_process.h"
#include "app/runs/run_json.h"
#include "app/text_table.h"
#include "core/base/errors/error_key.h"
#include "core/base/options/field_builder.h"
#include "core/base/text/text_list.h"
#include "core/library/point_log_bench.h"
#include "core/review/reviewed_sql.h"

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
  return std::vector<Measured>{{"write", 1000 * log.writeSeconds},
                               {"read", 1000 * log.readSeconds},
                               {"index", 1000 * log.indexSeconds},
                               {"reopen", 1000 * log.reopenSeconds},
                               {"fill the panel", drawn.fill},
                               {"first draw", drawn.firstDraw},
                               {"worst pan frame", drawn.worstPan},
                               {"median pan frame", drawn.medianPan},
                               {"worst pan frame, smoothed", drawn.worstSmoothed},
                               {"worst crosshair", drawn.hover}};
}

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

// Sources of Spider; each of `needed` must be given.
Result<SpiderSources> benchSources(const CommandContext& context, std::initializer_list<const char*> needed) {
  const std::string what = context.options.text("what");
  for (const char* key : needed) {
    const bool list = std::string_view(key) == "predictions";
    if (list ? !context.options.texts(key).empty() : !context.options.text(key).empty()) continue;
    return aboutKey(key, usageError(what + " needs --" + key));
  }
  return spiderSources(context);
}

std::string loadText(double load) {
  return "load before " + shownNumber(load) + (load > 0.3 ? "  (noisy)\n" : "\n");
}

Result<ReviewTimes> reviewTimes(const CommandContext& context, Progress& progress, const StopToken& stop) {
  const OptionValues& options = context.options;
  const auto count = [&options](const char* key) { return static_cast<int>(options.integer(key)); };
  const std::string kind = options.text("kind");
  if (kind.empty()) {
    ReviewBench bench;
    bench.rounds = count("rounds");
    if (count("models") > 0) bench.models = count("models");
    bench.rows = count("rows");
    FATHOM_TRY(const SpiderSources sources, benchSources(context, {"gold", "predictions", "tables"}));
    bench.sources = reviewSourcesOf(sources, categoryPresets().front().id);
    return benchReview(bench, progress, stop);
  }
  FATHOM_TRY(const ReviewKind* known, findReviewKind(kind));
  if (known->id == kSqlReviewId) {
    ReviewBench bench;
    bench.rounds = count("rounds");
    bench.models = count("models") > 0 ? count("models") : KindBench().models;
    bench.rows = count("rows");
    bench.openRows = true;
    bench.sources = reviewSourcesOf(spiderSources(context), categoryPresets().front().id);
    return benchReview(bench, progress, stop);
  }
  KindBench bench;
  bench.rounds = count("rounds");
  if (count("models") > 0) bench.models = count("models");
  bench.rows = count("rows");
  bench.sources.kind = known->id;
  bench.sources.gold = options.text("gold");
  for (const ReviewFile& file : known->files)
    if (options.schema().find(file.key) != nullptr)
      if (const std::string path = options.text(file.key); !path.empty())
        bench.sources.files[file.key] = path;
  for (const std::string& word : options.texts("predictions"))
    bench.sources.predictions.push_back(reviewPredictions(word));
  return benchKindReview(bench, progress, stop);
}

Result<CommandOutput> benchErrors(const CommandContext& context, Progress& progress, const StopToken& stop) {
  const double loadBefore = systemLoad();
  FATHOM_TRY(const ReviewTimes times, reviewTimes(context, progress, stop));
  const auto middle = [](const std::vector<double>& sorted) {
    return sorted.empty() ? 0 : sorted[sorted.size() / 2];
  };
  CommandOutput output;
  output.json = {{"format", 1},
                 {"bench", "review"},
                 {"kind", context.options.text("kind")},
                 {"load", loadBefore},
                 {"examples", times.examples},
                 {"models", times.models},
                 {"rows", times.rows},
                 {"milliseconds",
                  {{"open", times.open},
                   {"open_processor", times.openProcessor},
                   {"judge", times.judge},
                   {"keystroke", times.keystroke}}},
                 {"slowest_filter", times.slowest}};
  TextTable table({"review", "ms"});
  table.addRow({"open " + std::to_string(times.examples) + " x " + std::to_string(times.models),
                joined(times.open, " ", shownNumber)});
  table.addRow({"of that, the processor", joined(times.openProcessor, " ", shownNumber)});
  table.addRow({"set a category, median", shownNumber(middle(times.judge))});
  table.addRow({"set a category, slowest", shownNumber(times.judge.empty() ? 0 : times.judge.back())});
  const std::string rows = " at " + std::to_string(times.rows) + " rows";
  table.addRow({"filter key" + rows + ", median", shownNumber(middle(times.keystroke))});
  table.addRow({"filter key" + rows + ", slowest", shownNumber(times.keystroke.back())});
  if (times.pairs) {
    output.json["milliseconds"]["pairs"] = *times.pairs;
    table.addRow({"models in pairs, in the background", shownNumber(*times.pairs)});
  }
  output.text = table.text() + "slowest filter text: \"" + times.slowest + "\"\n" + loadText(loadBefore);
  return output;
}

Result<CommandOutput> benchSpider(const CommandContext& context, Progress& progress, const StopToken& stop) {
  SpiderMatchBench bench;
  bench.rounds = static_cast<int>(context.options.integer("rounds"));
  FATHOM_TRY(const SpiderSources sources,
             benchSources(context, {"gold", "predictions", "tables", "databases"}));
  if (sources.predictions.size() > 1) return usageError("spider-match takes one file of --predictions");
  bench.gold = sources.gold;
  bench.predictions = sources.predictions.front().path;
  bench.tables = sources.tables;
  bench.databases = sources.databases;
  const double loadBefore = systemLoad();
  FATHOM_TRY(const SpiderMatchTimes times, benchSpiderMatch(bench, progress, stop));
  CommandOutput output;
  output.json = {{"format", 1},
                 {"bench", "spider-match"},
                 {"load", loadBefore},
                 {"examples", times.examples},
                 {"right", times.right},
                 {"peer", times.peer.empty() ? "absent" : times.peer},
                 {"milliseconds",
                  {{"process", times.ours},
                   {"scoring", times.ourScoring},
                   {"peer process", times.peers},
                   {"peer scoring", times.peerScoring}}}};
  TextTable table({"spider-match", "ms"});
  table.addRow({"whole process", joined(times.ours, " ", shownNumber)});
  table.addRow({"reading and scoring", joined(times.ourScoring, " ", shownNumber)});
  if (times.peer.empty()) {
    output.text = "peer absent: packaging/bench-peers.sh fetches it\n";
  } else {
    table.addRow({"peer, whole process", joined(times.peers, " ", shownNumber)});
    table.addRow({"peer, scoring", joined(times.peerScoring, " ", shownNumber)});
    output.json["ratio"] = times.ratio;
    output.json["ratios"] = {times.lowest, times.highest};
    output.text = "the same scores: " + std::to_string(times.right) + " of " +
                  std::to_string(times.examples) + " right; whole process " + shownNumber(times.ratio) +
                  " times as fast (" + shownNumber(times.lowest) + " to " + shownNumber(times.highest) +
                  ")\n";
  }
  output.text = table.text() + output.text + loadText(loadBefore);
  return output;
}

Json lineJson(const FigureBenchLine& line) {
  return {{"first", line.first},
          {"redraw", line.median},
          {"slowest", line.worst},
          {"processor", line.processor},
          {"pdf", line.pdf}};
}

std::vector<std::string> lineRow(const std::string& what, const FigureBenchLine& line) {
  return {what,
          shownNumber(line.first),
          shownNumber(line.median),
          shownNumber(line.worst),
          shownNumber(line.processor),
          shownNumber(line.pdf)};
}

Result<CommandOutput> benchDrawing(const CommandContext& context, Progress& progress, const StopToken& stop) {
  const double loadBefore = systemLoad();
  FigurePeerBench bench;
  bench.rounds = static_cast<int>(context.options.integer("rounds"));
  bench.usualCalls = context.options.flag("usual-calls");
  FATHOM_TRY(const FigurePeerTimes times, benchFigurePeer(bench, progress, stop));
  CommandOutput output;
  output.json = {{"format", 1},
                 {"bench", "figures"},
                 {"load", loadBefore},
                 {"peer", times.peer.empty() ? "absent" : times.peer},
                 {"milliseconds", Json::object()}};
  TextTable table({"figures, ms", "first", "redraw", "slowest redraw", "processor time of a redraw", "PDF"});
  for (const FigureTimes& figure : times.figures) {
    Json& json = output.json["milliseconds"][figure.what] = lineJson(figure.ours);
    table.addRow(lineRow(figure.what, figure.ours));
    if (!figure.peer) continue;
    json["peer"] = lineJson(*figure.peer);
    json["ratio"] = figure.redrawRatio;
    json["ratios"] = {figure.lowest, figure.highest};
    json["pdf_ratio"] = figure.pdfRatio;
    table.addRow(lineRow("  " + times.peer, *figure.peer));
    if (figure.usualPeer) {
      json["usual_calls"] = lineJson(*figure.usualPeer);
      table.addRow(lineRow("  its usual calls", *figure.usualPeer));
    }
    output.text += figure.what + ": redrawn " + shownNumber(figure.redrawRatio) + " times as fast (" +
                   shownNumber(figure.lowest) + " to " + shownNumber(figure.highest) + "), PDF " +
                   shownNumber(figure.pdfRatio) + " times\n";
  }
  if (times.peer.empty()) output.text = "peer absent: packaging/bench-peers.sh fetches it\n";
  output.text = table.text() + output.text + loadText(loadBefore);
  return output;
}

Result<CommandOutput> bench(const CommandContext& context, Progress& progress, const StopToken& stop) {
  const std::string what = context.options.text("what");
  if (what == "spider-match") return benchSpider(context, progress, stop);
  if (what == "review") return benchErrors(context, progress, stop);
  if (what == "figures") return benchDrawing(context, progress, stop);
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
  output.text = table.text() + loadText(loadBefore);
  return output;
}

}  // namespace

Command benchCommandEntry() {
  OptionField what = choiceField("what", "What", "What is measured.",
                                 {{"curves", "Curves"},
                                  {"figures", "Large figures"},
                                  {"start", "Start of the window"},
                                  {"spider-match", "Spider exact match"},
                                  {"review", "Errors workspace"}});
  return {
      .id = "bench",
      .title = "Bench",
      .description =
          "Measures this program: curves of many points (write, reopen, draw, pan), large figures (redraw, "
          "PDF), the start of the window, Spider's exact match against its evaluation script, or the Errors "
          "workspace.",
      .group = "Tools",
      .fields = joinedFields(
          {{what, integerField("points", "Points", "Points of the curve.", 1'000'000).between(10, 1e8),
            integerField("rounds", "Rounds", "How often ours and the peer run in turn.", 5).between(1, 100),
            textField("kind", "Kind of review",
                      "Errors workspace: a kind as the command review takes it; without --gold its "
                      "predictions are made up. "
                      "Empty: Spider's files in the workspace's own panels."),
            integerField("models", "Models", "Errors workspace: that many; 0 is 8 of Spider, 10 of a kind.",
                         0)
                .between(0, 64),
            integerField("rows", "Rows", "Errors workspace: examples of the table that is filtered.", 10'000)
                .between(10, 1'000'000),
            flagField("usual-calls", "Usual calls",
                      "Large figures: matplotlib also with the calls of its documentation; slow.")},
           spiderFields(true),
           {questionsField()}}),
      .required = {"what"},
      .positional = "what",
      .needsProject = false,
      .needsPainter = true,
      .run = bench};
}

}  // namespace fathom
