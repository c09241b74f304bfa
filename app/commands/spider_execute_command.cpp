// SPDX-License-Identifier: GPL-3.0-or-later
#include <map>

#include "app/commands/spider_inputs.h"
#include "app/text_table.h"
#include "core/sqlrun/result_comparison.h"
#include "core/sqlrun/sqlrun_pool.h"
#include "core/tasks/spider/execution_keys.h"

namespace fathom {

namespace {

struct Outcome {
  std::string verdict;  // right, wrong, gold error, or the predicted query's verdict
  std::string message;
  std::size_t goldRows = 0, predictedRows = 0;
  bool right = false;
};

std::vector<std::string> keysOf(const std::string& sql, const SpiderSchema& schema) {
  const auto query = parseOfficialSql(sql, schema);
  return query ? executionKeys(normaliseForMatch(*query, schema)) : std::vector<std::string>();
}

Outcome judge(const SpiderPair& pair, const SpiderSchema& schema, const SqlRunResult& gold,
              const SqlRunResult& predicted, bool suite) {
  Outcome outcome;
  outcome.goldRows = gold.rows.size();
  outcome.predictedRows = predicted.rows.size();
  if (!gold.ok()) {
    outcome.verdict = "gold error";
    outcome.message = std::string(sqlVerdictName(gold.verdict)) + ": " + gold.message;
  } else if (!predicted.ok()) {
    outcome.verdict = sqlVerdictName(predicted.verdict);
    outcome.message = predicted.message;
  } else {
    const ResultMatch match =
        suite ? compareBags(gold, predicted, asksForOrder(pair.gold))
              : compareByKeys(gold, keysOf(pair.gold, schema), predicted, keysOf(pair.predicted, schema));
    outcome.right = match == ResultMatch::Equal;
    outcome.verdict = match == ResultMatch::Equal       ? "right"
                      : match == ResultMatch::Different ? "wrong"
                                                        : "undecided";
  }
  return outcome;
}

Status writeOutcomes(const std::string& path, const SpiderModel& model,
                     const std::vector<Outcome>& outcomes) {
  std::vector<std::vector<std::string>> rows = {
      {"index", "db_id", "execution", "gold_rows", "predicted_rows", "message", "gold", "predicted"}};
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    rows.push_back({std::to_string(i), model.pairs[i].dbId, outcomes[i].verdict,
                    std::to_string(outcomes[i].goldRows), std::to_string(outcomes[i].predictedRows),
                    outcomes[i].message, model.pairs[i].gold, model.pairs[i].predicted});
  }
  return writeCsv(path, rows);
}

Result<std::vector<SqlRunResult>> runQueries(SqlRunPool& pool, const SpiderModel& model,
                                             const std::string& folder, bool suite, Progress& progress,
                                             const StopToken& stop) {
  std::vector<SqlRunTask> tasks;
  for (const bool prediction : {false, true}) {
    for (const auto& pair : model.pairs) {
      const std::string& sql = prediction ? pair.predicted : pair.gold;
      tasks.push_back({folder + "/" + pair.dbId + "/" + pair.dbId + ".sqlite",
                       suite ? testSuiteQuery(sql, false, prediction) : sql});
    }
  }
  progress.begin("executing queries", "queries", static_cast<double>(tasks.size()));
  auto results =
      pool.runAll(tasks, stop, [&](std::size_t done) { progress.report(static_cast<double>(done)); });
  progress.finish();
  return results;
}

Result<CommandOutput> execute(const CommandContext& context, Progress& progress, const StopToken& stop) {
  const std::string folder = context.options.text("databases");
  if (folder.empty()) return usageError("--databases is needed", "the folder with <db_id>/<db_id>.sqlite");
  FATHOM_TRY(const SpiderInputs inputs,
             loadSpiderInputs(context, progress, stop, PredictionPairing::Careful));
  const SpiderModel& model = inputs.models.front();
  const bool suite = context.options.text("compare") == "test_suite";
  SqlRunPoolOptions options;
  options.workers = static_cast<int>(context.options.integer("workers"));
  options.limits.seconds = context.options.real("seconds");
  FATHOM_TRY(const auto pool, SqlRunPool::start(options));
  FATHOM_TRY(const auto results, runQueries(*pool, model, folder, suite, progress, stop));
  std::vector<Outcome> outcomes;
  std::map<std::string, int> counts;
  for (std::size_t i = 0; i < model.pairs.size(); ++i) {
    const auto& schema = *findSchema(inputs.schemas, model.pairs[i].dbId);
    outcomes.push_back(judge(model.pairs[i], schema, results[i], results[i + model.pairs.size()], suite));
    ++counts[outcomes.back().verdict];
  }
  if (const auto path = context.options.text("csv"); !path.empty())
    FATHOM_CHECK(writeOutcomes(path, model, outcomes));
  CommandOutput output;
  output.json["format"] = 1;
  output.json["compare"] = context.options.text("compare");
  output.json["examples"] = outcomes.size();
  output.json["verdicts"] = Json::object();
  output.json["sandbox"] = pool->sandboxText();
  output.json["notes"] = spiderNotes(inputs);
  TextTable table({"execution", "examples"});
  for (const auto& [verdict, count] : counts) {
    output.json["verdicts"][verdict] = count;
    table.addRow({verdict, std::to_string(count)});
  }
  output.text = table.text() + "\nsandbox: " + pool->sandboxText() + "\n";
  return output;
}

}  // namespace

Command spiderExecuteCommandEntry() {
  Command command;
  command.id = "spider-execute";
  command.title = QT_TRANSLATE_NOOP("Command", "Execute Text-to-SQL predictions");
  command.description =
      QT_TRANSLATE_NOOP("Command", "Runs gold and predicted SQL in a sandbox and compares the results.");
  command.group = QT_TRANSLATE_NOOP("Command", "Text-to-SQL");
  command.needsProject = false;
  command.inMenu = true;
  command.fields = spiderFields(false);
  command.fields.push_back(choiceField(
      "compare", QT_TRANSLATE_NOOP("Command", "Comparison"),
      QT_TRANSLATE_NOOP("Command",
                        "test_suite compares bags of rows; official is the old rule by select items."),
      {{"test_suite", QT_TRANSLATE_NOOP("Command", "Test suite")},
       {"official", QT_TRANSLATE_NOOP("Command", "Official (old)")}}));
  command.fields.push_back(integerField(
      "workers", QT_TRANSLATE_NOOP("Command", "Workers"),
      QT_TRANSLATE_NOOP("Command", "Processes that execute queries at the same time."), 2, 1, 64));
  OptionField seconds =
      integerField("seconds", QT_TRANSLATE_NOOP("Command", "Time limit"),
                   QT_TRANSLATE_NOOP("Command", "Seconds after which a query is stopped."), 30, 0.05, 3600);
  seconds.type = OptionType::Real;
  seconds.defaultValue = 30.0;
  command.fields.push_back(seconds);
  command.fields.push_back(pathField("csv", QT_TRANSLATE_NOOP("Command", "CSV file"),
                                     QT_TRANSLATE_NOOP("Command", "Where to write one row per example.")));
  command.required = {"gold", "predictions", "tables", "databases"};
  command.run = execute;
  return command;
}

}  // namespace fathom
