// SPDX-License-Identifier: GPL-3.0-or-later
#include <charconv>

#include "app/command.h"
#include "app/library_source.h"
#include "app/run_json.h"
#include "app/text_table.h"
#include "core/analysis/json_reals.h"

namespace fathom {

namespace {

struct NamedSeries {
  RunRow row;
  ScalarSeries series;
};

void appendNumber(std::string& text, double value) {
  char buffer[40];
  text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

std::string csvField(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// Every point, long form: one row a point.
std::string csvText(const std::vector<NamedSeries>& all) {
  std::string text = "run,name,metric,step,epoch,tokens,seconds,value\n";
  for (const NamedSeries& item : all) {
    const std::string head =
        item.row.identity.uuid + "," + csvField(item.row.name) + "," + csvField(item.series.metric);
    const ScalarSeries& series = item.series;
    for (std::size_t i = 0; i < series.value.size(); ++i) {
      text += head;
      for (const double value :
           {series.step[i], series.epoch[i], series.tokens[i], series.time[i], series.value[i]}) {
        text += ',';
        appendNumber(text, value);
      }
      text += '\n';
    }
  }
  return text;
}

Json seriesJson(const NamedSeries& item) {
  return {{"run", item.row.identity.uuid},
          {"name", item.row.name},
          {"metric", item.series.metric},
          {"step", realsToJson(item.series.step)},
          {"epoch", realsToJson(item.series.epoch)},
          {"tokens", realsToJson(item.series.tokens)},
          {"seconds", realsToJson(item.series.time)},
          {"value", realsToJson(item.series.value)}};
}

std::string summaryText(const std::vector<NamedSeries>& all) {
  TextTable table({"run", "name", "metric", "points", "last step", "last value"});
  for (const NamedSeries& item : all) {
    const ScalarSeries& series = item.series;
    table.addRow({item.row.identity.uuid.substr(0, 8), item.row.name, series.metric,
                  std::to_string(series.value.size()),
                  series.step.empty() ? "" : std::to_string(static_cast<std::int64_t>(series.step.back())),
                  series.value.empty() ? "" : shownNumber(series.value.back())});
  }
  return table.text();
}

Result<CommandOutput> curves(const CommandContext& context, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  FATHOM_TRY(const auto index, CurveIndex::open(context.project));
  FATHOM_TRY(const auto rows, findRuns(*library, context.options.texts("runs")));
  std::vector<NamedSeries> all;
  progress.begin("reading curves", "runs", static_cast<double>(rows.size()));
  for (const RunRow& row : rows) {
    if (stop.stopRequested()) return interruptedError();
    FATHOM_TRY(ScalarSeries series, requiredSeries(*index, row, context.options.text("metric")));
    all.push_back({row, std::move(series)});
    progress.report(static_cast<double>(all.size()));
  }
  CommandOutput output;
  output.json["format"] = 1;
  output.json["curves"] = Json::array();
  if (context.json) {
    for (const NamedSeries& item : all) output.json["curves"].push_back(seriesJson(item));
  } else {
    output.text = context.options.flag("csv") ? csvText(all) : summaryText(all);
  }
  return output;
}

}  // namespace

Command curvesCommandEntry() {
  Command command;
  command.id = "curves";
  command.title = QT_TRANSLATE_NOOP("Command", "Curves");
  command.description =
      QT_TRANSLATE_NOOP("Command", "Writes every point of a metric of some runs, as CSV (--csv) or JSON.");
  command.group = QT_TRANSLATE_NOOP("Command", "Run");
  command.fields = {
      listField("runs", QT_TRANSLATE_NOOP("Command", "Runs"),
                QT_TRANSLATE_NOOP("Command", "UUID, its beginning, name or path of each run.")),
      textField("metric", QT_TRANSLATE_NOOP("Command", "Metric"),
                QT_TRANSLATE_NOOP("Command", "Metric: loss, nll, valid.nll, valid.bleu, lr, grad_norm, ..."),
                "loss"),
      flagField("csv", QT_TRANSLATE_NOOP("Command", "CSV"),
                QT_TRANSLATE_NOOP(
                    "Command", "One row a point: run, name, metric, step, epoch, tokens, seconds, value."))};
  command.required = {"runs"};
  command.positional = "runs";
  command.run = curves;
  return command;
}

}  // namespace fathom
