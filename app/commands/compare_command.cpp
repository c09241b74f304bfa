// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include "app/command.h"
#include "app/config_diff.h"
#include "app/run_json.h"
#include "app/runner/child_process.h"
#include "app/runner/engine_description.h"
#include "app/text_table.h"
#include "core/base/atomic_file.h"
#include "core/base/choice_field.h"
#include "core/base/hash.h"
#include "core/base/path_facts.h"
#include "core/tasks/nmt/bootstrap_test.h"

namespace fathom {

namespace {

constexpr double kEvaluationSeconds = 24 * 3600.0;

struct PredictionSet {
  std::string file;
  Json decoding = Json::object();                   // options it was made with, empty where not recorded
  std::vector<std::string> hypotheses, references;  // in order of the examples
};

// The newest stored predictions of the split, or "".
std::string storedPredictions(const std::string& runPath, const std::string& split) {
  std::string newest;
  std::filesystem::file_time_type newestTime{};
  std::error_code code;
  for (const auto& item : listFolder(RunFolder(runPath).predictionsPath(), code)) {
    const auto text = readFile(item.path());
    if (item.path().extension() != ".jsonl" || !text) continue;
    const auto head = parseJson(text->substr(0, text->find('\n')), item.path());
    if (!head || !head->is_object() || head->value("split", "") != split) continue;
    if (newest.empty() || item.last_write_time(code) > newestTime) {
      newest = item.path();
      newestTime = item.last_write_time(code);
    }
  }
  return newest;
}

// What the engine warns of (a damaged checkpoint that was passed over) is said.
Result<std::string> makePredictions(const CommandContext& context, const std::string& runPath,
                                    const std::string& split, const StopToken& stop) {
  FATHOM_TRY(const std::string engine, findEngine());
  FATHOM_CHECK(makeFolders(RunFolder(runPath).predictionsPath()));
  const std::string file = RunFolder(runPath).predictionsPath() + "/" + makeUuid() + ".jsonl";
  ChildSpec spec;
  spec.program = engine;
  spec.arguments = {"evaluate", "--run", runPath, "--split", split, "--keep", file};
  FATHOM_TRY(const ChildOutput output, runChild(spec, {kEvaluationSeconds, std::size_t{64} << 20}, stop));
  if (output.exitCode != 0) {
    return unavailableError("predictions of run " + runPath + " could not be made: the engine " +
                            describeExit(output.exitCode) + "; it wrote: " + output.err);
  }
  std::istringstream words(output.err);
  for (std::string line; std::getline(words, line);)
    if (line.rfind("warning: ", 0) == 0) context.say(line);
  return file;
}

Result<PredictionSet> readPredictions(const std::string& file) {
  FATHOM_TRY(const std::string text, readFile(file));
  std::map<std::int64_t, std::pair<std::string, std::string>> byExample;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  FATHOM_TRY(const Json head, parseJson(line, file));
  for (std::int64_t number = 2; std::getline(lines, line); ++number) {
    FATHOM_TRY(const Json json, parseJson(line, file));
    if (!json.is_object() || !json.contains("example") || !json.contains("prediction") ||
        !json.contains("reference")) {
      return dataErrorAt(file, number, "a prediction needs example, prediction and reference");
    }
    byExample[json["example"].get<std::int64_t>()] = {json["prediction"].get<std::string>(),
                                                      json["reference"].get<std::string>()};
  }
  PredictionSet set;
  set.file = file;
  if (head.is_object()) set.decoding = head.value("decoding", Json::object());
  for (const auto& [example, pair] : byExample) {
    set.hypotheses.push_back(pair.first);
    set.references.push_back(pair.second);
  }
  return set;
}

Json interval(const BootstrapInterval& value) {
  return Json::array({value.low, value.high});
}

// Every run decodes by its own options; a score of its validation may have come about otherwise.
std::string decodingText(const RunRow& row, const Json& decoding) {
  if (decoding.empty()) return {};
  std::string text;
  for (const auto& [key, value] : decoding.items())
    text += (text.empty() ? "" : " ") + key + "=" + value.dump();
  return row.name + " decoded with " + text + "\n";
}

// Every run against the first.
Status addBootstrap(const CommandContext& context, const std::vector<RunRow>& rows, CommandOutput& output,
                    Progress& progress, const StopToken& stop) {
  const std::string split = context.options.text("split");
  std::vector<std::vector<BleuCounts>> counts;
  std::vector<std::string> references;
  std::string decoded;
  Json decodings = Json::array();
  for (const RunRow& row : rows) {
    const std::string task = row.options.value("task", "nmt");
    if (task != "nmt")
      return dataError("run " + row.name + " is of the task " + task + ": it has no translations to compare",
                       "compare it without --test");
  }
  progress.begin("reading predictions", "runs", static_cast<double>(rows.size()));
  for (const RunRow& row : rows) {
    std::string file = storedPredictions(row.path, split);
    if (file.empty()) {
      context.say("run " + row.name + ": making predictions of the " + split + " part");
      FATHOM_TRY(file, makePredictions(context, row.path, split, stop));
    }
    FATHOM_TRY(const PredictionSet set, readPredictions(file));
    if (!references.empty() && set.references != references) {
      return dataError("run " + row.name + " was evaluated on other references than " + rows.front().name,
                       "compare runs on the same data");
    }
    references = set.references;
    decoded += decodingText(row, set.decoding);
    decodings.push_back(set.decoding);
    FATHOM_TRY(auto segment, bleuSegmentCounts(set.hypotheses, set.references));
    counts.push_back(std::move(segment));
    progress.report(static_cast<double>(counts.size()));
  }
  BootstrapOptions options;
  options.resamples = context.options.integer("resamples");
  TextTable table({"against " + rows.front().name, "BLEU", "difference", "95 %", "p"});
  output.json["test"] = {
      {"kind", "bootstrap"}, {"split", split}, {"resamples", options.resamples}, {"decoding", decodings}};
  for (std::size_t i = 1; i < rows.size(); ++i) {
    FATHOM_TRY(const BleuBootstrap result, pairedBootstrap(counts[0], counts[i], {}, options, stop));
    output.json["test"]["pairs"].push_back({{"first", rows[0].identity.uuid},
                                            {"second", rows[i].identity.uuid},
                                            {"first_bleu", result.first},
                                            {"second_bleu", result.second},
                                            {"difference", result.difference},
                                            {"difference_interval", interval(result.differenceInterval)},
                                            {"second_wins", result.secondWins},
                                            {"p_value", result.pValue}});
    table.addRow(
        {rows[i].name, shownNumber(result.second), shownNumber(result.difference),
         shownNumber(result.differenceInterval.low) + " to " + shownNumber(result.differenceInterval.high),
         shownNumber(result.pValue)});
  }
  output.text += "\n" + table.text() + decoded;
  return {};
}

std::string resultsText(const std::vector<RunRow>& rows) {
  std::vector<std::string> head = {"metric"};
  std::vector<std::string> metrics;
  for (const RunRow& row : rows) {
    head.push_back(row.name + " (" + row.identity.uuid.substr(0, 8) + ")");
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
  if (rows.size() < 2) return usageError("one run cannot be compared", "name two or more");
  CommandOutput output;
  output.json["format"] = 1;
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
  Command command;
  command.id = "compare";
  command.title = QT_TRANSLATE_NOOP("Command", "Compare runs");
  command.description = QT_TRANSLATE_NOOP(
      "Command",
      "Sets results and options of runs side by side; --test bootstrap tests their BLEU for difference.");
  command.group = QT_TRANSLATE_NOOP("Command", "Run");
  command.fields = {
      listField("runs", QT_TRANSLATE_NOOP("Command", "Runs"),
                QT_TRANSLATE_NOOP("Command",
                                  "UUID, its beginning, name or path of each run; the first is the base.")),
      choiceField("test", QT_TRANSLATE_NOOP("Command", "Test"),
                  QT_TRANSLATE_NOOP("Command", "Significance test."),
                  {{"none", QT_TRANSLATE_NOOP("Command", "None")},
                   {"bootstrap", QT_TRANSLATE_NOOP("Command", "Paired bootstrap of BLEU")}}),
      choiceField("split", QT_TRANSLATE_NOOP("Command", "Part"),
                  QT_TRANSLATE_NOOP("Command", "Part of the data that is translated for the test."),
                  {{"validation", QT_TRANSLATE_NOOP("Command", "Validation")},
                   {"test", QT_TRANSLATE_NOOP("Command", "Test part")}}),
      integerField("resamples", QT_TRANSLATE_NOOP("Command", "Resamples"),
                   QT_TRANSLATE_NOOP("Command", "Draws of the bootstrap."), 1000, 10, 1e6)};
  command.required = {"runs"};
  command.positional = "runs";
  command.inMenu = true;
  command.run = compare;
  return command;
}

}  // namespace fathom
