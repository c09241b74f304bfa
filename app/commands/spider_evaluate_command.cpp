// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/predictions/spider_inputs.h"
#include "app/text_table.h"
#include "core/base/options/field_builder.h"
#include "core/spider/data/spider_tables.h"

namespace fathom {

namespace {

const char* kLevels[] = {"easy", "medium", "hard", "extra", "all"};

struct Scored {
  std::vector<SpiderPair> pairs;
  SpiderEvaluation evaluation;
  std::vector<std::string> notes;
};

// Pairs the lines of a text file as the official script does, which is not how a review does it.
Result<Scored> score(const CommandContext& context, MatchRules rules, const StopToken& stop) {
  const SpiderSources sources = spiderSources(context);
  const SpiderPredictions& source = sources.predictions.front();
  FATHOM_TRY(const auto gold, readGoldFile(sources.gold));
  SpiderDatabaseIds known;
  FATHOM_TRY(const SpiderSchemas schemas, readSpiderTablesOf(sources.tables, databasesOf(gold), &known));
  FATHOM_TRY(PairedPredictions paired,
             readPredictions(source.path, source.options, gold, known, PredictionPairing::Official));
  Scored out;
  out.pairs = std::move(paired.pairs);
  for (const auto& note : paired.notes) out.notes.push_back(source.path + ": " + note.english());
  FATHOM_TRY(out.evaluation, evaluateSpider(out.pairs, schemas, {rules, spiderThreads()}, stop));
  for (const auto& error : out.evaluation.goldErrors)
    out.notes.push_back("gold is refused, not scored: " + error);
  for (auto& note : databaseNotes(sources.databases, gold)) out.notes.push_back(std::move(note));
  for (const auto& note : out.notes) context.say(note);
  return out;
}

std::string triple(const ComponentScore& score) {
  return std::to_string(score.goldTotal) + "/" + std::to_string(score.predictedTotal) + "/" +
         std::to_string(score.score());
}

Status writeExamples(const std::string& path, const Scored& model) {
  std::vector<std::vector<std::string>> rows(1);
  rows[0] = {"index", "db_id", "hardness", "exact", "pred_parse_error"};
  for (std::size_t c = 0; c < kMatchComponents; ++c) rows[0].emplace_back(matchComponentName(c));
  for (const char* name : {"gold", "predicted", "reason"}) rows[0].emplace_back(name);
  for (std::size_t i = 0; i < model.pairs.size(); ++i) {
    const auto& verdict = model.evaluation.verdicts[i];
    std::vector<std::string> row = {std::to_string(i), model.pairs[i].dbId, hardnessName(verdict.hardness),
                                    std::to_string(verdict.match.exact),
                                    std::to_string(!verdict.parseError.empty())};
    for (const auto& score : verdict.match.components) row.push_back(triple(score));
    row.push_back(model.pairs[i].gold);
    row.push_back(model.pairs[i].predicted);
    row.push_back(verdict.parseError);
    rows.push_back(std::move(row));
  }
  return writeCsv(path, rows);
}

Json levelsJson(const SpiderEvaluation& evaluation) {
  Json levels = Json::object();
  for (std::size_t i = 0; i < evaluation.levels.size(); ++i) {
    const auto& level = evaluation.levels[i];
    Json partial = Json::object();
    for (std::size_t c = 0; c < kMatchComponents; ++c) {
      const auto& p = level.partial[c];
      partial[matchComponentName(c)] = {{"accuracy", p.accuracy}, {"recall", p.recall}, {"f1", p.f1}};
    }
    levels[kLevels[i]] = {{"count", level.count},
                          {"exact_match", level.count == 0 ? Json() : Json(level.exact)},
                          {"partial", std::move(partial)}};
  }
  return levels;
}

std::string summary(const Scored& model) {
  TextTable table({"level", "examples", "exact match %"});
  for (std::size_t i = 0; i < 5; ++i) {
    const auto& level = model.evaluation.levels[i];
    table.addRow(
        {kLevels[i], std::to_string(level.count), level.count == 0 ? "-" : percentText(level.exact)});
  }
  return table.text() + "\n" + std::to_string(model.evaluation.exactCount) + " of " +
         std::to_string(model.evaluation.levels[4].count) + " right; " +
         std::to_string(model.evaluation.parseErrors) + " predictions refused by the official parser\n";
}

Result<CommandOutput> evaluate(const CommandContext& context, Progress&, const StopToken& stop) {
  const MatchRules rules =
      context.options.text("match") == "dt_fixup" ? MatchRules::DtFixup : MatchRules::Official;
  FATHOM_TRY(const Scored model, score(context, rules, stop));
  CommandOutput output;
  output.json["match"] = context.options.text("match");
  output.json["examples"] = model.pairs.size();
  output.json["right"] = model.evaluation.exactCount;
  output.json["parse_errors"] = model.evaluation.parseErrors;
  output.json["levels"] = levelsJson(model.evaluation);
  output.json["notes"] = Json(model.notes);
  const std::string print = context.options.text("print");
  if (print == "official") output.text = officialReport(model.pairs, model.evaluation);
  if (print == "tables") output.text = officialScoreTables(model.evaluation);
  if (print == "summary") output.text = summary(model);
  if (const auto path = context.options.text("csv"); !path.empty()) {
    FATHOM_CHECK(writeExamples(path, model));
    const std::string text = output.text;
    output.wrote(path);
    if (print != "summary") output.text = text;  // what others print is compared byte by byte
    if (print != "summary") context.say("wrote " + path);
  }
  return output;
}

}  // namespace

Command spiderEvaluateCommandEntry() {
  return {.id = "spider-evaluate",
          .title = "Score Text-to-SQL predictions",
          .description = "Scores predicted SQL on Spider digit for digit like the official script.",
          .group = "Text-to-SQL",
          .fields = joinedFields(
              {spiderFields(false),
               {choiceField("match", "Rules",
                            "Whose exact match: the official script's or DT-Fixup's internal one.",
                            {{"official", "Official"}, {"dt_fixup", "DT-Fixup"}}),
                choiceField(
                    "print", "Print",
                    "What to print: a summary, the official tables, or all the official script prints.",
                    {{"summary", "Summary"}, {"tables", "Official tables"}, {"official", "Official report"}}),
                rowsFileField()}}),
          .required = {"gold", "predictions", "tables"},
          .needsProject = false,
          .writes = {"csv"},
          .run = evaluate};
}

}  // namespace fathom
