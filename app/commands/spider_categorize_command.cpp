// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/spider_inputs.h"
#include "app/text_table.h"
#include "core/tasks/spider/spider_error_category.h"

namespace fathom {

namespace {

std::string reasonsText(const CategoryVerdict& verdict) {
  std::string text;
  for (const auto& reason : verdict.reasons) {
    text += (text.empty() ? "" : " | ") + reason.rule + " " +
            (reason.clause.empty() ? "" : reason.clause + ": ") + reason.text;
  }
  return text;
}

Status writeVerdicts(const std::string& path, const SpiderModel& model,
                     const std::vector<CategoryVerdict>& verdicts) {
  std::vector<std::vector<std::string>> rows = {{"index", "db_id", "hardness", "exact", "category",
                                                 "sub_type", "decided_by", "confidence",
                                                 "possible_false_positive", "gold", "predicted", "reasons"}};
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    const auto& v = verdicts[i];
    const auto& official = model.evaluation.verdicts[i];
    rows.push_back({std::to_string(i), model.pairs[i].dbId, hardnessName(official.hardness),
                    std::to_string(official.match.exact), errorCategoryName(v.category), v.subType,
                    "5.3(" + std::to_string(v.listItem) + ")", jsonNumber(v.confidence),
                    std::to_string(v.possibleFalsePositive), model.pairs[i].gold, model.pairs[i].predicted,
                    reasonsText(v)});
  }
  return writeCsv(path, rows);
}

std::string countsText(const CategoryCounts& counts, int flagged) {
  TextTable table({"category", "examples", "share of column, sketch and both %"});
  for (const auto& [category, count] :
       {std::pair{ErrorCategory::FalseNegative, counts.falseNegative},
        std::pair{ErrorCategory::Column, counts.column}, std::pair{ErrorCategory::Sketch, counts.sketch},
        std::pair{ErrorCategory::Both, counts.both}}) {
    table.addRow({errorCategoryName(category), std::to_string(count),
                  category == ErrorCategory::FalseNegative ? "" : percentText(counts.share(category))});
  }
  return table.text() + "\n" + std::to_string(counts.correct) + " right, " + std::to_string(counts.wrong()) +
         " wrong by the metric; " + std::to_string(flagged) +
         " right ones look wrong (possible false positives)\n";
}

Result<CommandOutput> categorize(const CommandContext& context, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const CategoryPreset preset, categoryPreset(context.options.text("preset")));
  FATHOM_TRY(const SpiderInputs inputs,
             loadSpiderInputs(context, progress, stop, PredictionPairing::Careful));
  const SpiderModel& model = inputs.models.front();
  FATHOM_TRY(const auto verdicts, categoriseAll(model.pairs, model.evaluation, inputs.schemas,
                                                {preset, spiderThreads(), {}}, stop));
  if (const auto path = context.options.text("csv"); !path.empty())
    FATHOM_CHECK(writeVerdicts(path, model, verdicts));
  std::vector<ErrorCategory> categories;
  int flagged = 0;
  for (const auto& verdict : verdicts) {
    categories.push_back(verdict.category);
    flagged += verdict.possibleFalsePositive;
  }
  const CategoryCounts counts = countCategories(categories);
  CommandOutput output;
  output.json["format"] = 1;
  output.json["preset"] = preset.id;
  output.json["preset_version"] = kCategoryPresetVersion;
  output.json["correct"] = counts.correct;
  output.json["false_negative"] = counts.falseNegative;
  output.json["column"] = counts.column;
  output.json["sketch"] = counts.sketch;
  output.json["both"] = counts.both;
  output.json["gold_error"] = counts.goldError;
  output.json["possible_false_positive"] = flagged;
  output.json["notes"] = spiderNotes(inputs);
  output.text = countsText(counts, flagged);
  return output;
}

}  // namespace

Command spiderCategorizeCommandEntry() {
  Command command;
  command.id = "spider-categorize";
  command.title = QT_TRANSLATE_NOOP("Command", "Categorise Text-to-SQL errors");
  command.description = QT_TRANSLATE_NOOP(
      "Command", "Puts every wrong prediction into false negative, column, sketch or both, with reasons.");
  command.group = QT_TRANSLATE_NOOP("Command", "Text-to-SQL");
  command.needsProject = false;
  command.inMenu = true;
  command.fields = spiderFields(false);
  command.fields.push_back(choiceField(
      "preset", QT_TRANSLATE_NOOP("Command", "Definitions"),
      QT_TRANSLATE_NOOP("Command",
                        "paper_like counts joined tables as part of the sketch; tables_inferred does not."),
      {{"paper_like", QT_TRANSLATE_NOOP("Command", "As in the paper")},
       {"tables_inferred", QT_TRANSLATE_NOOP("Command", "Tables inferred")}}));
  command.fields.push_back(pathField("csv", QT_TRANSLATE_NOOP("Command", "CSV file"),
                                     QT_TRANSLATE_NOOP("Command", "Where to write one row per example.")));
  command.required = {"gold", "predictions", "tables"};
  command.run = categorize;
  return command;
}

}  // namespace fathom
