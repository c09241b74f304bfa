// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <optional>
#include <sstream>

#include "app/command.h"
#include "app/predictions/run_predictions.h"
#include "app/predictions/spider_inputs.h"
#include "app/requests/engine_question.h"
#include "app/runs/config_diff.h"
#include "app/runs/run_json.h"
#include "app/text_table.h"
#include "core/base/errors/phrase.h"
#include "core/base/options/field_builder.h"
#include "core/record/import/foreign_run.h"
#include "core/record/results/prediction_set.h"
#include "core/review/review.h"
#include "core/tasks/task.h"

namespace fathom {

namespace {

constexpr double kEvaluationSeconds = 24 * 3600.0;

// The newest stored set of the split that the run's newest weights made by its own options.
Result<std::optional<PredictionSet>> storedSet(const RunRow& row, const std::string& split) {
  FATHOM_TRY(auto sets, predictionSets(row.path));
  for (PredictionSet& set : sets) {
    const bool own =
        std::all_of(set.decoding.items().begin(), set.decoding.items().end(), [&](const auto& option) {
          return !row.options.contains(option.key()) || row.options[option.key()] == option.value();
        });
    if (set.split == split && !set.chosen && own) return std::optional<PredictionSet>(std::move(set));
  }
  return std::optional<PredictionSet>();
}

// The sets of predictions of a run; warnings of the engine (a damaged checkpoint passed over) are told.
Result<PredictionSet> makePredictions(const CommandContext& context, const std::string& runPath,
                                      const std::string& split, const StopToken& stop) {
  FATHOM_TRY(const ChildSpec spec, engineSpec({"evaluate", "--run", runPath, "--split", split}));
  FATHOM_TRY(const ChildOutput output, runChild(spec, {kEvaluationSeconds, std::size_t{64} << 20}, stop));
  if (output.exitCode != 0) {
    return unavailableError(
        Phrase::tr("predictions of run %1 could not be made: the engine %2; it wrote: %3")(
            runPath, describeExit(output.exitCode), output.err));
  }
  std::istringstream words(output.err);
  for (std::string line; std::getline(words, line);)
    if (line.rfind("warning: ", 0) == 0) context.say(line);
  FATHOM_TRY(const Json report, parseJson(output.out, "the engine's output"));
  const Json file = report.is_object() ? report.value("predictions", Json()) : Json();
  if (!file.is_string())
    return unavailableError(Phrase::tr("predictions of run %1 could not be stored")(runPath),
                            Phrase::tr("see the warning"));
  return readPredictionSet(file.get<std::string>());
}

// Every run decodes by its own options; a score of its validation may have come about otherwise.
std::string decodingText(const RunRow& row, const Json& decoding) {
  if (decoding.empty()) return {};
  std::string text;
  for (const auto& [key, value] : decoding.items())
    text += (text.empty() ? "" : " ") + key + "=" + value.dump();
  return row.name + " decoded with " + text + "\n";
}

// The task of all runs: one whose predictions are tested in pairs, by a test of its own or by its review.
Result<const TaskEntry*> testedTaskOf(const std::vector<RunRow>& rows) {
  const TaskEntry* first = taskOf(rows.front().options);
  for (const RunRow& row : rows) {
    const TaskEntry* task = taskOf(row.options);
    const bool tested = task != nullptr && (task->pairedTest.run != nullptr || !task->review.kind.empty());
    const bool alike = tested && task == first &&
                       task->review.kindFor(row.options) == task->review.kindFor(rows.front().options);
    if (alike) continue;
    const std::string id = task != nullptr ? task->id : row.options.value("task", "");
    return dataError(
        tested ? Phrase::tr("run %1 is of the task %2: its predictions cannot be compared with those of %3")(
                     row.name, id, rows.front().name)
               : Phrase::tr("run %1 is of the task %2: it has no predictions that are tested in pairs")(
                     row.name, id),
        Phrase::tr("compare it without --test"));
  }
  return first;
}

bool ofAnotherProgram(const RunRow& row) {
  return !importOrigin(row.identity.provenance).empty();
}

Result<PredictionSet> setOf(const CommandContext& context, const RunRow& row, Json& decodings,
                            std::string& decoded, const StopToken& stop) {
  const std::string split = context.options.text("split");
  FATHOM_TRY(std::optional<PredictionSet> set, storedSet(row, split));
  if (!set && ofAnotherProgram(row))
    return dataError(Phrase::tr("run %1 has no stored predictions of the part %2")(row.name, split),
                     Phrase::tr("its program has to log a table of predictions and right answers"));
  if (!set) {
    context.say("run " + row.name + ": making predictions of the " + split + " part");
    FATHOM_TRY(set, makePredictions(context, row.path, split, stop));
  }
  decoded += decodingText(row, set->decoding);
  decodings.push_back(set->decoding);
  return std::move(*set);
}

// The sets of all runs as one review: every run must have been judged by the same gold on the same examples.
Result<Review> reviewOfRuns(const std::string& project, const std::vector<RunRow>& rows,
                            const std::vector<PredictionSet>& sets, Progress& progress,
                            const StopToken& stop) {
  ReviewSources sources;
  std::string dataset;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    FATHOM_TRY(ReviewSources own, runReviewSources({rows[i].name, rows[i].path, rows[i].options}, project));
    own.predictions = {{std::to_string(i), sets[i].path}};
    FATHOM_TRY(const Review alone, openReview(own, spiderThreads(), progress, stop));
    const ReviewModel& model = alone.models.front();
    if (i > 0 && (alone.dataset != dataset || model.missing > 0))
      return dataError(
          Phrase::tr("run %1 was evaluated on other examples than %2")(rows[i].name, rows.front().name),
          Phrase::tr("compare runs on the same data"));
    if (i == 0) {
      dataset = alone.dataset;
      sources = own;
    } else {
      sources.predictions.push_back(own.predictions.front());
    }
  }
  return openReview(sources, spiderThreads(), progress, stop);
}

// Every run against the first, by what its kind of review tests.
Status addReviewTest(const CommandContext& context, const std::vector<RunRow>& rows, CommandOutput& output,
                     Progress& progress, const StopToken& stop) {
  std::vector<PredictionSet> sets;
  std::string decoded;
  Json decodings = Json::array();
  for (const RunRow& row : rows) {
    FATHOM_TRY(PredictionSet set, setOf(context, row, decodings, decoded, stop));
    sets.push_back(std::move(set));
  }
  FATHOM_TRY(const Review review, reviewOfRuns(context.project, rows, sets, progress, stop));
  FATHOM_TRY(const auto pairs, comparePairs(review, stop));
  const ReviewKind& kind = *review.kind;
  const bool exact = kind.test == PairTest::McNemar;
  TextTable table({"against " + rows.front().name, "only " + rows.front().name + " right",
                   "only this one right", "difference: " + kind.compared.english(), "bootstrap 95 %",
                   exact ? "McNemar p" : "p"});
  output.json["test"] = {{"kind", exact ? "mcnemar" : "bootstrap"}, {"review", kind.id},
                         {"compared", kind.compared.english()},     {"split", context.options.text("split")},
                         {"examples", review.examples()},           {"decoding", decodings}};
  for (const ReviewPair& pair : pairs) {
    if (pair.first != 0) continue;
    // As everywhere in this command: the second less the first.
    const double difference = -kind.comparedFactor * pair.difference;
    const double low = -kind.comparedFactor * pair.high, high = -kind.comparedFactor * pair.low;
    output.json["test"]["pairs"].push_back({{"first", rows[0].identity.uuid},
                                            {"second", rows[pair.second].identity.uuid},
                                            {"only_first", pair.onlyFirst},
                                            {"only_second", pair.onlySecond},
                                            {"difference", difference},
                                            {"difference_interval", {low, high}},
                                            {"p_value", pair.p}});
    table.addRow({rows[pair.second].name, std::to_string(pair.onlyFirst), std::to_string(pair.onlySecond),
                  shownNumber(difference), shownNumber(low) + " to " + shownNumber(high),
                  probabilityText(pair.p, 4)});
  }
  output.text += "\n" + table.text() + decoded;
  return {};
}

// Every run against the first.
Status addBootstrap(const CommandContext& context, const std::vector<RunRow>& rows, CommandOutput& output,
                    Progress& progress, const StopToken& stop) {
  const auto foreign = std::count_if(rows.begin(), rows.end(), ofAnotherProgram);
  if (foreign == static_cast<std::ptrdiff_t>(rows.size()))
    return addReviewTest(context, rows, output, progress, stop);
  if (foreign > 0)
    return dataError(
        Phrase::tr("predictions of other programs' runs are not tested against those of Fathom's"),
        Phrase::tr("compare them as files, see: fathom review --help"));
  FATHOM_TRY(const TaskEntry* task, testedTaskOf(rows));
  if (task->pairedTest.run == nullptr) return addReviewTest(context, rows, output, progress, stop);
  const PairedTest* test = &task->pairedTest;
  std::vector<PredictedTexts> texts;
  std::string decoded;
  Json decodings = Json::array();
  progress.begin(Phrase::tr("reading predictions").english, Phrase::tr("runs").english,
                 static_cast<double>(rows.size()));
  for (const RunRow& row : rows) {
    FATHOM_TRY(const PredictionSet set, setOf(context, row, decodings, decoded, stop));
    FATHOM_TRY(PredictedTexts own, readPredictedTexts(set));
    if (!texts.empty() && own.references != texts.front().references) {
      return dataError(
          Phrase::tr("run %1 was evaluated on other references than %2")(row.name, rows.front().name),
          Phrase::tr("compare runs on the same data"));
    }
    texts.push_back(std::move(own));
    progress.report(static_cast<double>(texts.size()));
  }
  const std::int64_t resamples = context.options.integer("resamples");
  TextTable table({"against " + rows.front().name, test->title, "difference", "95 %", "p"});
  output.json["test"] = {{"kind", "bootstrap"},
                         {"split", context.options.text("split")},
                         {"resamples", resamples},
                         {"decoding", decodings}};
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const PairedTexts pair{texts[0].predictions, texts[i].predictions, texts[0].references};
    FATHOM_TRY(const PairedOutcome result, test->run(pair, resamples, stop));
    output.json["test"]["pairs"].push_back({{"first", rows[0].identity.uuid},
                                            {"second", rows[i].identity.uuid},
                                            {"first_" + test->metric, result.first},
                                            {"second_" + test->metric, result.second},
                                            {"difference", result.difference},
                                            {"difference_interval", {result.low, result.high}},
                                            {"second_wins", result.secondWins},
                                            {"p_value", result.pValue}});
    table.addRow({rows[i].name, shownNumber(result.second), shownNumber(result.difference),
                  shownNumber(result.low) + " to " + shownNumber(result.high), shownNumber(result.pValue)});
  }
  output.text += "\n" + table.text() + decoded;
  return {};
}

std::string resultsText(const std::vector<RunRow>& rows) {
  std::vector<std::string> head = {"metric"};
  std::vector<std::string> metrics;
  for (const RunRow& row : rows) {
    head.push_back(row.name + " (" + shortRunId(row) + ")");
    for (const auto& [metric, value] : row.last) {
      if (std::find(metrics.begin(), metrics.end(), metric) == metrics.end()) metrics.push_back(metric);
    }
  }
  TextTable table(head);
  for (const std::string& metric : metrics) {
    std::vector<std::string> cells = {metric};
    for (const RunRow& row : rows)
      cells.push_back(row.last.count(metric) ? shownNumber(row.last.at(metric)) : "-");
    table.addRow(cells);
  }
  return table.text();
}

Result<CommandOutput> compare(const CommandContext& context, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  FATHOM_TRY(const auto rows, findRuns(*library, context.options.texts("runs")));
  if (rows.size() < 2)
    return usageError(Phrase::tr("one run cannot be compared"), Phrase::tr("name two or more"));
  CommandOutput output;
  for (const RunRow& row : rows) output.json["runs"].push_back(runJson(row));
  output.json["diff"] = configDiff(rows);
  output.text = resultsText(rows) + "\n" + configDiffText(output.json["diff"]);
  if (context.options.text("test") == "bootstrap") {
    FATHOM_CHECK(addBootstrap(context, rows, output, progress, stop));
  }
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
                 choiceField("test", "Test",
                             "Significance test of the runs' own predictions: a paired bootstrap of BLEU, or "
                             "what the review of the task tests (McNemar's test, a paired bootstrap).",
                             {{"none", "None"}, {"bootstrap", "Paired bootstrap"}}),
                 choiceField("split", "Part", "Part of the data that is predicted for the test.",
                             {{"validation", "Validation"}, {"test", "Test part"}}),
                 integerField("resamples", "Resamples", "Draws of the bootstrap.", 1000).between(10, 1e6)},
      .required = {"runs"},
      .positional = "runs",
      .inMenu = true,
      .run = compare};
}

}  // namespace fathom
