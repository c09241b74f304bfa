// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/predictions/spider_inputs.h"
#include "core/base/options/field_builder.h"

namespace fathom {

namespace {

Status writeOutcomes(const std::string& path, const SpiderModel& model,
                     const std::vector<ExecutionOutcome>& outcomes) {
  std::vector<std::vector<std::string>> rows = {
      {"index", "db_id", "execution", "gold_rows", "predicted_rows", "message", "gold", "predicted",
       "executed_with_values", "distinct_ignored", "executed", "as_written", "executed_as_written"}};
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    rows.push_back({std::to_string(i), model.pairs[i].dbId, outcomes[i].name(),
                    std::to_string(outcomes[i].goldRows), std::to_string(outcomes[i].predictedRows),
                    outcomes[i].message, model.pairs[i].gold, model.pairs[i].predicted,
                    outcomes[i].pluggedSql, std::to_string(outcomes[i].distinctIgnored), outcomes[i].executed,
                    outcomes[i].asWritten.name(), outcomes[i].asWritten.executed});
  }
  return writeCsv(path, rows);
}

Result<CommandOutput> execute(const CommandContext& context, Progress& progress, const StopToken& stop) {
  ExecutionOptions options;
  options.databases = context.options.text("databases");
  options.rule =
      context.options.text("compare") == "official" ? ExecutionRule::Official : ExecutionRule::TestSuite;
  options.plugValues = context.options.flag("plug_values");
  options.keepDistinct = context.options.flag("keep_distinct");
  FATHOM_TRY(const SpiderReview review, loadSpiderReview(context, progress, stop));
  const SpiderModel& model = review.models.front();
  FATHOM_TRY(const auto pool, startSqlRun(context));
  FATHOM_TRY(const auto outcomes, executePairs(*pool, model.pairs, review.schemas, options, progress, stop));
  CommandOutput output;
  output.json["compare"] = context.options.text("compare");
  output.json["examples"] = outcomes.size();
  output.json["verdicts"] = executionCounts(outcomes);
  addExecutedCounts(outcomes, options.plugValues, output.json);
  output.json["databases"] = suiteJson(suiteOf(options.databases, review.gold));
  output.json["sandbox"] = pool->sandboxText();
  output.json["notes"] = spiderNotes(review);
  output.text =
      executedText({{"", outcomes}}, options.plugValues) + "\nsandbox: " + pool->sandboxText() + "\n";
  if (const auto path = context.options.text("csv"); !path.empty()) {
    FATHOM_CHECK(writeOutcomes(path, model, outcomes));
    output.wrote(path);
  }
  return output;
}

}  // namespace

Command spiderExecuteCommandEntry() {
  return {.id = "spider-execute",
          .title = "Execute Text-to-SQL predictions",
          .description = "Runs gold and predicted SQL in a sandbox and compares the results.",
          .group = "Text-to-SQL",
          .fields = joinedFields(
              {spiderFields(false),
               {choiceField("compare", "Comparison",
                            "test_suite compares bags of rows; official is the old rule by select items.",
                            {{"test_suite", "Test suite"}, {"official", "Official (old)"}}),
                flagField("plug_values", "Put gold's values in",
                          "Runs a prediction that is not right also with gold's values in its places: for "
                          "models that predict no values.")},
               executionFields(),
               {rowsFileField()}}),
          .required = {"gold", "predictions", "tables", "databases"},
          .needsProject = false,
          .writes = {"csv"},
          .run = execute};
}

}  // namespace fathom
