// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "app/command.h"
#include "app/commands/run_control_commands.h"
#include "app/recipes/library_source.h"
#include "app/runs/run_json.h"
#include "app/text_table.h"
#include "core/base/errors/phrase.h"
#include "core/base/text/csv.h"
#include "core/record/events/system_samples.h"

namespace fathom {

namespace {

void appendNumber(std::string& text, double value) {
  char buffer[40];
  text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

// Long form: one row a point.
std::string csvRows(const RunRow& row, const ScalarSeries& part) {
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
      : m_context(context), m_output(output), m_csv(!context.json && context.options.flag("csv")) {
    output.json = {{"format", 1}, {"curves", Json::array()}};
    if (m_csv) write("run,name,metric,step,epoch,tokens,seconds,value\n");
  }
  void begin(const RunRow& row, const std::string& metric) {
    m_points = 0;
    if (m_context.json) m_output.json["curves"].push_back(emptyJson(row, metric));
  }
  void take(const RunRow& row, const ScalarSeries& part) {
    m_points += part.value.size();
    m_lastStep =
        std::isnan(part.step.back()) ? "" : std::to_string(static_cast<std::int64_t>(part.step.back()));
    m_lastValue = part.value.back();
    if (m_csv) write(csvRows(row, part));
    if (!m_context.json) return;
    Json& json = m_output.json["curves"].back();
    appendPositions(json["step"], part.step);
    appendPositions(json["epoch"], part.epoch);
    appendPositions(json["tokens"], part.tokens);
    appendPositions(json["seconds"], part.time);
    appendReals(json["value"], part.value);
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
  TextTable m_table{{"run", "name", "metric", "points", "last step", "last value"}};
  std::size_t m_points = 0;
  std::string m_lastStep;  // "" = its points have none
  double m_lastValue = 0;
};

// Points that have a time alone.
ScalarSeries seriesOfLoad(const SystemSeries& load) {
  const std::vector<double> unknown(load.values.size(), std::numeric_limits<double>::quiet_NaN());
  return {load.name, unknown, load.seconds, unknown, unknown, load.values};
}

Result<CommandOutput> loads(const CommandContext& context, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  FATHOM_TRY(const auto rows, findRuns(*library, context.options.texts("runs")));
  CommandOutput output;
  CurveOutput written(context, output);
  progress.begin("reading curves", "runs", static_cast<double>(rows.size()));
  std::size_t done = 0;
  for (const RunRow& row : rows) {
    if (stop.stopRequested()) return interruptedError();
    const RunSystem system = readRunSystem(row.path);
    if (system.problem) return *system.problem;
    for (const SystemSeries& load : system.series) {
      written.begin(row, load.name);
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
  // A metric that one of the runs lacks ends the command before anything is written.
  for (const RunRow& row : rows) {
    FATHOM_TRY(const auto metrics, index->metrics(row.path));
    if (std::find(metrics.begin(), metrics.end(), metric) == metrics.end())
      return missingMetric(row, metric, metrics);
  }
  CommandOutput output;
  CurveOutput written(context, output);
  progress.begin("reading curves", "runs", static_cast<double>(rows.size()));
  std::size_t done = 0;
  for (const RunRow& row : rows) {
    written.begin(row, metric);
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
  return {.id = "curves",
          .title = "Curves",
          .description = "Writes every point of a metric of some runs, as CSV (--csv) or JSON.",
          .group = "Run",
          .fields = {runsField(),
                     textField("metric", "Metric",
                               "Metric: loss, nll, valid.nll, valid.bleu, lr, grad_norm, ...", "loss"),
                     flagField(
                         "system", "Load of the machine",
                         "What the runs took of their machine instead of a metric: processors, memory, disk, "
                         "graphics cards over seconds."),
                     flagField("csv", "CSV",
                               "One row a point: run, name, metric, step, epoch, tokens, seconds, value; "
                               "what an import does not "
                               "tell is empty.")},
          .required = {"runs"},
          .positional = "runs",
          .run = curves};
}

}  // namespace fathom
