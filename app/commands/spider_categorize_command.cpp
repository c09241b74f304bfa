// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/predictions/spider_inputs.h"
#include "app/text_table.h"

namespace fathom {

namespace {

std::string reasonsText(const CategoryVerdict& verdict) {
  std::string text;
  for (const auto& reason : verdict.reasons) {
    text += (text.empty() ? "" : " | ") + reason.rule + " " +
            (reason.clause.empty() ? "" : reason.clause + ": ") + reason.text();
  }
  return text;
}

Status writeVerdicts(const std::string& path, const CategorisedReview& all) {
  const SpiderModel& model = all.review.models.front();
  std::vector<std::vector<std::string>> rows = {
      {"index", "db_id", "hardness", "exact", "category", "by_hand", "sub_type", "decided_by", "confidence",
       "possible_false_positive", "gold", "predicted", "reasons", "execution", "executed_as_written"}};
  for (std::size_t i = 0; i < model.verdicts.size(); ++i) {
    const auto& v = model.verdicts[i];
    const auto& official = model.evaluation.verdicts[i];
    const ErrorCategory category = all.categories[0][i];
    rows.push_back({std::to_string(i), model.pairs[i].dbId, hardnessName(official.hardness),
                    std::to_string(official.match.exact), errorCategoryName(category),
                    std::to_string(category != v.category), v.subType,
                    "5.3(" + std::to_string(v.listItem) + ")", jsonNumber(v.confidence),
                    std::to_string(v.possibleFalsePositive), model.pairs[i].gold, model.pairs[i].predicted,
                    reasonsText(v), all.execution.empty() ? "" : all.execution[0][i].name(),
                    all.execution.empty() ? "" : all.execution[0][i].evident.executed});
  }
  return writeCsv(path, rows);
}

std::string countsText(const CategoryCounts& counts, int flagged) {
  TextTable table({"category", "examples", "share of column, sketch and both %"});
  const int sum = counts.column + counts.sketch + counts.both;
  for (const auto& [category, count] :
       {std::pair{ErrorCategory::FalseNegative, counts.falseNegative},
        std::pair{ErrorCategory::Column, counts.column}, std::pair{ErrorCategory::Sketch, counts.sketch},
        std::pair{ErrorCategory::Both, counts.both}}) {
    table.addRow({errorCategoryName(category), std::to_string(count),
                  category == ErrorCategory::FalseNegative ? "" : partText(count, sum)});
  }
  return table.text() + "\n" + std::to_string(counts.correct) + " right, " + std::to_string(counts.wrong()) +
         " wrong by the metric; " + std::to_string(flagged) +
         " right ones look wrong (possible false positives)\n";
}

Result<CommandOutput> categorize(const CommandContext& context, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const CategorisedReview all, categorisedReview(context, progress, stop));
  const SpiderModel& model = all.review.models.front();
  int flagged = 0;
  for (const auto& verdict : model.verdicts) flagged += verdict.possibleFalsePositive;
  const CategoryCounts counts = countCategories(all.categories[0]);
  CommandOutput output;
  output.json["preset"] = all.review.preset.id;
  output.json["preset_version"] = kCategoryPresetVersion;
  output.json["correct"] = counts.correct;
  addCategoryCounts(counts, output.json);
  output.json["gold_error"] = counts.goldError;
  output.json["by_hand"] = all.byHand[0];
  output.json["possible_false_positive"] = flagged;
  output.text = countsText(counts, flagged);
  if (!all.execution.empty()) {
    output.json["execution"] = executionCounts(all.execution[0]);
    addExecutedCounts(all.execution[0], true, output.json);
    output.json["databases"] = suiteJson(suiteOf(context.options.text("databases"), all.review.gold));
    output.json["sandbox"] = all.sandbox;
    int doubtful = 0;
    for (std::size_t i = 0; i < model.verdicts.size(); ++i) {
      const bool right = all.categories[0][i] <= ErrorCategory::FalseNegative;
      const auto evidence = all.execution[0][i].evidence();
      doubtful += evidence.comparable && evidence.equal != right;
    }
    output.json["execution_disagrees"] = doubtful;
    output.text += "\n" + executedText({{"", all.execution[0]}}, true) + "\n" + std::to_string(doubtful) +
                   " categories are doubtful by the executed results\n";
  }
  if (all.byHand[0] > 0) output.text += std::to_string(all.byHand[0]) + " set by hand\n";
  output.json["notes"] = spiderNotes(all.review);
  if (const auto path = context.options.text("csv"); !path.empty()) {
    FATHOM_CHECK(writeVerdicts(path, all));
    output.wrote(path);
  }
  return output;
}

}  // namespace

Command spiderCategorizeCommandEntry() {
  return {
      .id = "spider-categorize",
      .title = "Categorise Text-to-SQL errors",
      .description = "Puts every wrong prediction into false negative, column, sketch or both, with reasons.",
      .group = "Text-to-SQL",
      .fields = joinedFields({spiderFields(false), categoryFields(), executionFields(), {rowsFileField()}}),
      .required = {"gold", "predictions", "tables"},
      .needsProject = false,
      .writes = {"csv"},
      .run = categorize};
}

}  // namespace fathom
