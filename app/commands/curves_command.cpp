// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "app/command.h"
#include "app/commands/run_control_commands.h"
#include "app/recipes/library_source.h"
#include "app/runs/run_json.h"
#include "app/text_table.h"
#include "core/analysis/training/training_curve.h"
#include "core/base/errors/phrase.h"
#include "core/base/text/csv.h"
#include "core/record/events/system_samples.h"

namespace fathom {

namespace {

void appendNumber(std::string& text, double value) {
  char buffer[40];
  text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

// The axis of --x: a word of kCurveAxes, else a metric, which "metric:NAME" names in any case.
struct AskedAxis {
  std::string word;  // as it was asked for; "" = none
  CurveAxis axis = CurveAxis::Step;
  std::string metric;
};

AskedAxis askedAxis(const std::string& word) {
  constexpr std::string_view kMetric = "metric:";
  if (word.empty()) return {};
  const auto known = findWord(kCurveAxes, word);
  if (known && *known != CurveAxis::Metric) return {word, *known, {}};
  return {word, CurveAxis::Metric, word.starts_with(kMetric) ? word.substr(kMetric.size()) : word};
}

// Positions of the points of a part, of which the parts come in the order of steps; NaN where they are
// unknown.
std::vector<double> positionsOf(const ScalarSeries& part, CurveAxis axis, MetricPositions& metric) {
  std::vector<double> positions;
  if (axis == CurveAxis::Metric) {
    for (const double step : part.step) positions.push_back(metric.at(step));
  } else {
    positions = axis == CurveAxis::Step     ? part.step
                : axis == CurveAxis::Time   ? part.time
                : axis == CurveAxis::Epoch  ? part.epoch
                : axis == CurveAxis::Tokens ? part.tokens
                                            : part.clock;
  }
  positions.resize(part.value.size(), std::numeric_limits<double>::quiet_NaN());
  return positions;
}

// Long form: one row a point. `x` is empty where no axis was asked for.
std::string csvRows(const RunRow& row, const ScalarSeries& part, const AskedAxis& axis,
                    const std::vector<double>& x) {
  const std::string head = row.identity.uuid + "," + csvField(row.name) + "," + csvField(part.metric);
  std::string text;
  for (std::size_t i = 0; i < part.value.size(); ++i) {
    text += head;
    for (const double position : {part.step[i], part.epoch[i], part.tokens[i], part.time[i]}) {
      text += ',';
      if (!std::isnan(position)) appendNumber(text, position);  // unknown is empty
    }
    text += ',';
    appendNumber(text, part.value[i]);
    if (!axis.word.empty()) text += ',';
    if (i < x.size() && !std::isnan(x[i])) {
      if (axis.axis == CurveAxis::Clock) {
        text += isoTimeOf(x[i]);
      } else {
        appendNumber(text, x[i]);
      }
    }
    text += '\n';
  }
  return text;
}

void appendReals(Json& array, const std::vector<double>& values) {
  for (const double value : values) array.push_back(jsonReal(value));
}

// Unknown is null.
void appendPositions(Json& array, const std::vector<double>& positions) {
  for (const double position : positions) array.push_back(std::isnan(position) ? Json() : jsonReal(position));
}

Json emptyJson(const RunRow& row, const std::string& metric) {
  return {{"run", row.identity.uuid}, {"name", row.name},       {"metric", metric},
          {"step", Json::array()},    {"epoch", Json::array()}, {"tokens", Json::array()},
          {"seconds", Json::array()}, {"value", Json::array()}};
}

// Writes each run part by part: a long run costs no more memory than a short one, but for JSON.
class CurveOutput {
 public:
  CurveOutput(const CommandContext& context, CommandOutput& output)
      : m_context(context),
        m_output(output),
        m_csv(!context.json && context.options.flag("csv")),
        m_axis(askedAxis(context.options.text("x"))) {
    output.json = {{"format", 1}, {"curves", Json::array()}};
  }
  const AskedAxis& axis() const { return m_axis; }
  void start() {
    if (m_csv)
      write(std::string("run,name,metric,step,epoch,tokens,seconds,value") +
            (m_axis.word.empty() ? "\n" : ",x\n"));
  }
  // `along`: the metric of the axis, where one is.
  void begin(const RunRow& row, const std::string& metric, ScalarSeries along) {
    m_points = 0;
    m_along = std::move(along);
    m_positions.emplace(m_along.step, m_along.value);
    if (!m_context.json) return;
    Json& json = m_output.json["curves"].emplace_back(emptyJson(row, metric));
    if (m_axis.word.empty()) return;
    json["axis"] = m_axis.word;
    json["x"] = Json::array();
  }
  void take(const RunRow& row, const ScalarSeries& part) {
    m_points += part.value.size();
    m_lastStep =
        std::isnan(part.step.back()) ? "" : std::to_string(static_cast<std::int64_t>(part.step.back()));
    m_lastValue = part.value.back();
    std::vector<double> x;
    if (!m_axis.word.empty()) x = positionsOf(part, m_axis.axis, *m_positions);
    if (m_csv) write(csvRows(row, part, m_axis, x));
    if (!m_context.json) return;
    Json& json = m_output.json["curves"].back();
    appendPositions(json["step"], part.step);
    appendPositions(json["epoch"], part.epoch);
    appendPositions(json["tokens"], part.tokens);
    appendPositions(json["seconds"], part.time);
    appendReals(json["value"], part.value);
    if (!m_axis.word.empty()) appendPositions(json["x"], x);
  }
  void end(const RunRow& row, const std::string& metric) {
    m_table.addRow(
        {shortRunId(row), row.name, metric, std::to_string(m_points), m_lastStep, shownNumber(m_lastValue)});
  }
  void finish() {
    if (!m_context.json && !m_csv) m_output.text = m_table.text();
  }

 private:
  void write(const std::string& text) {
    if (m_context.write) {
      m_context.write(text);
    } else {
      m_output.text += text;
    }
  }
  const CommandContext& m_context;
  CommandOutput& m_output;
  bool m_csv;
  AskedAxis m_axis;
  ScalarSeries m_along;
  std::optional<MetricPositions> m_positions;  // of m_along
  TextTable m_table{{"run", "name", "metric", "points", "last step", "last value"}};
  std::size_t m_points = 0;
  std::string m_lastStep;  // "" = its points have none
  double m_lastValue = 0;
};

// Points that have a time alone.
ScalarSeries seriesOfLoad(const SystemSeries& load) {
  const std::vector<double> unknown(load.values.size(), std::numeric_limits<double>::quiet_NaN());
  return {load.name, unknown, load.seconds, unknown, unknown, load.values, {}};
}

Result<CommandOutput> loads(const CommandContext& context, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  FATHOM_TRY(const auto rows, findRuns(*library, context.options.texts("runs")));
  CommandOutput output;
  CurveOutput written(context, output);
  written.start();
  progress.begin("reading curves", "runs", static_cast<double>(rows.size()));
  std::size_t done = 0;
  for (const RunRow& row : rows) {
    if (stop.stopRequested()) return interruptedError();
    const RunSystem system = readRunSystem(row.path);
    if (system.problem) return *system.problem;
    for (const SystemSeries& load : system.series) {
      written.begin(row, load.name, {});
      written.take(row, seriesOfLoad(load));
      written.end(row, load.name);
    }
    progress.report(static_cast<double>(++done));
  }
  written.finish();
  return output;
}

Result<CommandOutput> curves(const CommandContext& context, Progress& progress, const StopToken& stop) {
  if (context.options.flag("system")) return loads(context, progress, stop);
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  FATHOM_TRY(const auto index, CurveIndex::open(context.project));
  FATHOM_TRY(const auto rows, findRuns(*library, context.options.texts("runs")));
  const std::string metric = context.options.text("metric");
  CommandOutput output;
  CurveOutput written(context, output);
  const std::string& along = written.axis().metric;
  // A metric that one of the runs lacks ends the command before anything is written.
  for (const RunRow& row : rows) {
    FATHOM_TRY(const auto metrics, index->metrics(row.path));
    for (const std::string& wanted : along.empty() ? std::vector{metric} : std::vector{metric, along})
      if (std::find(metrics.begin(), metrics.end(), wanted) == metrics.end())
        return missingMetric(row, wanted, metrics);
  }
  written.start();
  progress.begin("reading curves", "runs", static_cast<double>(rows.size()));
  std::size_t done = 0;
  for (const RunRow& row : rows) {
    ScalarSeries axis;
    if (!along.empty()) {
      FATHOM_TRY(axis, index->series(row.path, along));
    }
    written.begin(row, metric, std::move(axis));
    FATHOM_CHECK(index->visitSeries(row.path, metric, [&](const ScalarSeries& part) -> Status {
      if (stop.stopRequested()) return interruptedError();
      written.take(row, part);
      return {};
    }));
    written.end(row, metric);
    progress.report(static_cast<double>(++done));
  }
  written.finish();
  return output;
}

}  // namespace

Command curvesCommandEntry() {
  return {
      .id = "curves",
      .title = "Curves",
      .description = "Writes every point of a metric of some runs, as CSV (--csv) or JSON.",
      .group = "Run",
      .fields = {runsField(),
                 textField("metric", "Metric", "Metric: loss, nll, valid.nll, valid.bleu, lr, grad_norm, ...",
                           "loss"),
                 flagField(
                     "system", "Load of the machine",
                     "What the runs took of their machine instead of a metric: processors, memory, disk, "
                     "graphics cards over seconds."),
                 flagField("csv", "CSV",
                           "One row a point: run, name, metric, step, epoch, tokens, seconds, value; "
                           "what an import does not "
                           "tell is empty."),
                 textField("x", "Horizontal axis",
                           "One more column, x: the position of each point on an axis as the window draws "
                           "it. step, time, clock (date and time), epoch, tokens, or a metric, whose value "
                           "at the same step, else the last one before it, counts (metric:epoch where it is "
                           "called like an axis).")},
      .required = {"runs"},
      .positional = "runs",
      .run = curves};
}

}  // namespace fathom
