// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "app/command.h"
#include "app/predictions/run_tests.h"
#include "app/runs/compared_runs.h"
#include "app/runs/config_diff.h"
#include "app/runs/run_json.h"
#include "app/text_table.h"
#include "core/base/errors/phrase.h"
#include "core/base/options/field_builder.h"
#include "core/record/import/foreign_run.h"

namespace fathom {

namespace {

// Every run decodes by its own options; a score of its validation may have come about otherwise.
std::string decodingText(const std::string& name, const Json& decoding) {
  if (decoding.empty()) return {};
  std::string text;
  for (const auto& [key, value] : decoding.items())
    text += (text.empty() ? "" : " ") + key + "=" + value.dump();
  return name + " decoded with " + text + "\n";
}

Json pairJson(const RunTest& test, const RunTestPair& pair, const std::vector<TestedRun>& runs) {
  Json json = {{"first", runs[0].uuid}, {"second", runs[pair.second].uuid}};
  if (pair.onlyFirst) json["only_first"] = *pair.onlyFirst;
  if (pair.onlySecond) json["only_second"] = *pair.onlySecond;
  if (pair.scores[0]) json["first_" + test.metric] = *pair.scores[0];
  if (pair.scores[1]) json["second_" + test.metric] = *pair.scores[1];
  json["difference"] = pair.difference;
  json["difference_interval"] = {pair.low, pair.high};
  if (pair.scores[0]) json["second_wins"] = pair.secondWins;
  json["p_value"] = pair.p;
  return json;
}

Json testJson(const RunTest& test, const std::vector<TestedRun>& runs) {
  Json json = {{"kind", test.kind}, {"split", test.split}, {"decoding", test.decodings}};
  if (!test.review.empty()) {
    json["review"] = test.review;
    json["compared"] = test.compared.english();
    json["examples"] = test.examples;
  } else {
    json["resamples"] = test.resamples;
  }
  for (const RunTestPair& pair : test.pairs) json["pairs"].push_back(pairJson(test, pair, runs));
  return json;
}

std::string testText(const RunTest& test, const std::vector<TestedRun>& runs) {
  const std::string against = "against " + runs[0].name;
  const bool review = !test.review.empty();
  TextTable table = review ? TextTable({against, "only " + runs[0].name + " right", "only this one right",
                                        "difference: " + test.compared.english(), "bootstrap 95 %",
                                        test.kind == "mcnemar" ? "McNemar p" : "p"})
                           : TextTable({against, test.compared.english(), "difference", "95 %", "p"});
  for (const RunTestPair& pair : test.pairs) {
    std::vector<std::string> cells = {runs[pair.second].name};
    if (review) cells.push_back(std::to_string(pair.onlyFirst.value_or(0)));
    if (review) cells.push_back(std::to_string(pair.onlySecond.value_or(0)));
    if (!review) cells.push_back(shownNumber(pair.scores[1].value_or(0)));
    cells.push_back(shownNumber(pair.difference));
    cells.push_back(shownNumber(pair.low) + " to " + shownNumber(pair.high));
    cells.push_back(review ? probabilityText(pair.p, 4) : shownNumber(pair.p));
    table.addRow(cells);
  }
  std::string text = "\n" + table.text();
  for (std::size_t i = 0; i < runs.size(); ++i) text += decodingText(runs[i].name, test.decodings[i]);
  return text;
}

Status addTest(const CommandContext& context, const std::vector<RunRow>& rows, CommandOutput& output,
               Progress& progress, const StopToken& stop) {
  std::vector<TestedRun> runs;
  for (const RunRow& row : rows)
    runs.push_back(
        {row.identity.uuid, row.name, row.path, row.options, !importOrigin(row.identity.provenance).empty()});
  const RunTestRequest request{context.options.text("split"), context.options.integer("resamples")};
  FATHOM_TRY(const RunTest test, testRuns(context.project, runs, request, context.note, progress, stop));
  output.json["test"] = testJson(test, runs);
  output.text += testText(test, runs);
  return {};
}

// Numbers as the window shows them, one column a run or a group of seeds: value, and the difference from the
// first one where values are compared.
std::string scoresText(const RunComparison& comparison) {
  std::vector<std::string> head = {"metric"};
  for (const ComparedColumn& column : comparison.columns) head.push_back(column.name);
  TextTable table(head);
  for (const ComparedScore& score : comparison.scores) {
    std::vector<std::string> cells = {score.metric.id};
    for (std::size_t i = 0; i < score.values.size(); ++i) {
      const SeedSummary& value = score.values[i];
      std::string cell = std::isfinite(value.mean) ? shownNumber(value.mean) : "-";
      if (value.finished > 1) cell += " ± " + shownNumber(value.deviation);
      if (score.best[i]) cell += " *";
      const double difference = score.differences[i];
      if (score.metric.direction != MetricDirection::None && std::isfinite(difference)) {
        cell += std::string(" (") + (difference > 0 ? "+" : "") + shownNumber(difference);
        if (const auto& test = score.tests[i])
          cell += ", " + shownNumber(test->low) + " to " + shownNumber(test->high) + ", p " +
                  probabilityText(test->pValue, 4);
        cell += ")";
      }
      cells.push_back(cell);
    }
    table.addRow(cells);
  }
  return table.text() + "* best; in brackets the difference from " +
         comparison.columns[comparison.base].name + "\n";
}

Json scoresJson(const RunComparison& comparison) {
  Json scores = Json::array();
  for (const ComparedScore& score : comparison.scores) {
    Json columns = Json::array();
    for (std::size_t i = 0; i < score.values.size(); ++i) {
      const SeedSummary& value = score.values[i];
      Json cell = {{"value", jsonReal(value.mean)},
                   {"sd", jsonReal(value.deviation)},
                   {"finished", value.finished},
                   {"runs", value.runs},
                   {"best", static_cast<bool>(score.best[i])},
                   {"difference", jsonReal(score.differences[i])}};
      if (const auto& test = score.tests[i]) {
        cell["welch"] = {{"t", test->t}, {"freedom", test->freedom}, {"p", test->pValue}};
        cell["bootstrap"] = {{"low", test->low}, {"high", test->high}};
      }
      columns.push_back(std::move(cell));
    }
    scores.push_back({{"metric", score.metric.id}, {"columns", std::move(columns)}});
  }
  return scores;
}

Result<CommandOutput> compare(const CommandContext& context, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  FATHOM_TRY(const auto rows, findRuns(*library, context.options.texts("runs")));
  if (rows.size() < 2)
    return usageError(Phrase::tr("one run cannot be compared"), Phrase::tr("name two or more"));
  CommandOutput output;
  for (const RunRow& row : rows) output.json["runs"].push_back(runJson(row));
  output.json["diff"] = configDiff(rows);
  const RunComparison comparison =
      compareRows(rows, context.options.flag("group-seeds"), context.options.text("score") == "best");
  for (const ComparedColumn& column : comparison.columns) {
    Json runs = Json::array();
    for (const std::size_t run : column.runs) runs.push_back(rows[run].identity.uuid);
    output.json["columns"].push_back({{"name", column.name}, {"runs", std::move(runs)}});
  }
  output.json["scores"] = scoresJson(comparison);
  output.text = scoresText(comparison) + "\n" + configDiffText(output.json["diff"]);
  if (context.options.text("test") == "bootstrap")
    FATHOM_CHECK(addTest(context, rows, output, progress, stop));
  return output;
}

}  // namespace

Command compareCommandEntry() {
  return {
      .id = "compare",
      .title = "Compare runs",
      .description =
          "Sets results and options of runs side by side; --test bootstrap tests whether their outputs "
          "differ.",
      .group = "Run",
      .fields = {listField("runs", "Runs",
                           "UUID, its beginning, name or path of each run; the first is the base."),
                 choiceField("score", "Score",
                             "Value at the end of a run, or the best one of its validations.",
                             {{"last", "Last"}, {"best", "Best"}}),
                 flagField("group-seeds", "Seeds together",
                           "Runs that differ only in the seed stand in one column, with mean, deviation and "
                           "Welch's test against the first."),
                 choiceField("test", "Test",
                             "Significance test of the runs' own predictions: a paired bootstrap of BLEU, or "
                             "what the review of the task tests (McNemar's test, a paired bootstrap).",
                             {{"none", "None"}, {"bootstrap", "Paired bootstrap"}}),
                 choiceField("split", "Part", "Part of the data that is predicted for the test.",
                             {{"validation", "Validation"}, {"test", "Test part"}}),
                 integerField("resamples", "Resamples", "Draws of the bootstrap.", 1000).between(10, 1e6)},
      .required = {"runs"},
      .positional = "runs",
      .run = compare};
}

}  // namespace fathom
