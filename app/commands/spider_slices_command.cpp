// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/spider_inputs.h"
#include "app/text_table.h"
#include "core/tasks/spider/spider_dataset.h"
#include "core/tasks/spider/spider_significance.h"
#include "core/tasks/spider/spider_slices.h"

namespace fathom {

namespace {

// Questions in the order of the gold file, where a data set is given that fits it.
Result<std::vector<std::string>> questionsOf(const std::string& path, std::size_t count) {
  if (path.empty()) return std::vector<std::string>();
  FATHOM_TRY(const SpiderDataset dataset, readSpiderDataset(path));
  if (dataset.examples.size() != count) {
    return dataErrorAt(
        path, 0,
        std::to_string(dataset.examples.size()) + " questions for " + std::to_string(count) + " gold queries",
        "questions of another split?");
  }
  std::vector<std::string> questions;
  for (const auto& example : dataset.examples) questions.push_back(example.question);
  return questions;
}

Result<CommandOutput> slices(const CommandContext& context, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const SpiderInputs inputs,
             loadSpiderInputs(context, progress, stop, PredictionPairing::Careful));
  const SpiderModel& first = inputs.models.front();
  SliceInputs more;
  FATHOM_TRY(more.questions, questionsOf(context.options.text("questions"), first.pairs.size()));
  const auto found = buildSlices(first.pairs, first.evaluation, inputs.schemas, more);
  std::vector<std::string> head = {"group", "slice", "examples"};
  for (const auto& model : inputs.models) head.push_back(model.name + " %");
  TextTable table(head);
  std::vector<std::vector<std::string>> rows = {head};
  CommandOutput output;
  output.json["format"] = 1;
  output.json["slices"] = Json::array();
  for (const auto& slice : found) {
    std::vector<std::string> row = {slice.group, slice.name, std::to_string(slice.examples.size())};
    Json models = Json::object();
    for (const auto& model : inputs.models) {
      int right = 0;
      for (const auto example : slice.examples) right += model.evaluation.verdicts[example].match.exact;
      const auto n = static_cast<int>(slice.examples.size());
      const Interval interval = wilsonInterval(right, n);
      models[model.name] = {{"right", right}, {"low", interval.low}, {"high", interval.high}};
      row.push_back(percentText(static_cast<double>(right) / n));
    }
    output.json["slices"].push_back({{"group", slice.group},
                                     {"name", slice.name},
                                     {"examples", slice.examples.size()},
                                     {"models", std::move(models)}});
    table.addRow(row);
    rows.push_back(std::move(row));
  }
  output.json["notes"] = spiderNotes(inputs);
  output.text = table.text();
  if (const auto path = context.options.text("csv"); !path.empty()) FATHOM_CHECK(writeCsv(path, rows));
  return output;
}

}  // namespace

Command spiderSlicesCommandEntry() {
  Command command;
  command.id = "spider-slices";
  command.title = QT_TRANSLATE_NOOP("Command", "Scores by slice");
  command.description =
      QT_TRANSLATE_NOOP("Command", "Exact match by hardness, database, SQL features and question length.");
  command.group = QT_TRANSLATE_NOOP("Command", "Text-to-SQL");
  command.needsProject = false;
  command.inMenu = true;
  command.fields = spiderFields(true);
  command.fields.push_back(pathField(
      "questions", QT_TRANSLATE_NOOP("Command", "Questions"),
      QT_TRANSLATE_NOOP("Command", "Spider's dev.json of the same split, for slices by question length.")));
  command.fields.push_back(pathField("csv", QT_TRANSLATE_NOOP("Command", "CSV file"),
                                     QT_TRANSLATE_NOOP("Command", "Where to write one row per slice.")));
  command.required = {"gold", "predictions", "tables"};
  command.positional = "predictions";
  command.run = slices;
  return command;
}

}  // namespace fathom
