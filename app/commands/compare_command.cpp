// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <optional>
#include <sstream>

#include "app/command.h"
#include "app/requests/engine_question.h"
#include "app/runs/config_diff.h"
#include "app/runs/run_json.h"
#include "app/text_table.h"
#include "core/base/errors/phrase.h"
#include "core/base/options/field_builder.h"
#include "core/record/results/prediction_set.h"
#include "core/tasks/task.h"

namespace fathom {

namespace {

constexpr double kEvaluationSeconds = 24 * 3600.0;

// The newest stored set of the split that the run's newest weights made by its own options.
std::optional<PredictionSet> storedSet(const RunRow& row, const std::string& split) {
  for (PredictionSet& set : predictionSets(row.path)) {
    const bool own =
        std::all_of(set.decoding.items().begin(), set.decoding.items().end(), [&](const auto& option) {
          return !row.options.contains(option.key()) || row.options[option.key()] == option.value();
        });
    if (set.split == split && !set.chosen && own) return std::move(set);
  }
  return std::nullopt;
}

// What the engine warns of (a damaged checkpoint that was passed over) is said.
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

// The paired test of the task of all runs.
Result<const PairedTest*> pairedTestOf(const std::vector<RunRow>& rows) {
  const TaskEntry* first = taskOf(rows.front().options);
  for (const RunRow& row : rows) {
    const TaskEntry* task = taskOf(row.options);
    const bool tested = task != nullptr && task->pairedTest.run != nullptr;
    if (tested && task == first) continue;
    const std::string id = task != nullptr ? task->id : row.options.value("task", "");
    return dataError(
        tested ? Phrase::tr("run %1 is of the task %2: its predictions cannot be compared with those of %3")(
                     row.name, id, rows.front().name)
               : Phrase::tr("run %1 is of the task %2: it has no predictions that are tested in pairs")(
                     row.name, id),
        Phrase::tr("compare it without --test"));
  }
  return &first->pairedTest;
}

Result<PredictedTexts> textsOf(const CommandContext& context, const RunRow& row, Json& decodings,
                               std::string& decoded, const StopToken& stop) {
  const std::string split = context.options.text("split");
  std::optional<PredictionSet> set = storedSet(row, split);
  if (!set) {
    context.say("run " + row.name + ": making predictions of the " + split + " part");
    FATHOM_TRY(set, makePredictions(context, row.path, split, stop));
  }
  decoded += decodingText(row, set->decoding);
  decodings.push_back(set->decoding);
  return readPredictedTexts(*set);
}

// Every run against the first.
Status addBootstrap(const CommandContext& context, const std::vector<RunRow>& rows, CommandOutput& output,
                    Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const PairedTest* test, pairedTestOf(rows));
  std::vector<PredictedTexts> texts;
  std::string decoded;
  Json decodings = Json::array();
  progress.begin(Phrase::tr("reading predictions").english, Phrase::tr("runs").english,
                 static_cast<double>(rows.size()));
  for (const RunRow& row : rows) {
    FATHOM_TRY(PredictedTexts own, textsOf(context, row, decodings, decoded, stop));
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
                 choiceField("test", "Test", "Significance test.",
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
