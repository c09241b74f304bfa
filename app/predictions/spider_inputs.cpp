// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/predictions/spider_inputs.h"

#include <algorithm>
#include <map>
#include <set>
#include <thread>

#include "app/text_table.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/input_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/options/field_builder.h"
#include "core/base/text/csv.h"
#include "core/base/text/number_text.h"
#include "core/review/judgements.h"
#include "core/review/reviewed_sql.h"

namespace fathom {

namespace {

bool hasField(const CommandContext& context, const char* key) {
  return context.options.schema().find(key) != nullptr;
}

std::string fieldText(const CommandContext& context, const char* key) {
  return hasField(context, key) ? context.options.text(key) : std::string();
}

Status addJudgements(const CommandContext& context, CategorisedReview& out) {
  out.byHand.assign(out.review.models.size(), 0);
  const std::string project = context.options.text("judgements");
  if (project.empty()) {
    out.categories = out.review.categories();
    return {};
  }
  FATHOM_TRY(const auto library, ProjectLibrary::open(project));
  const Review review = sqlReviewOf(out.review);
  FATHOM_TRY(const Judgements judged, Judgements::load(review, library.get()));
  out.categories = errorCategories(judged.categories());
  out.people = judgedReview(review, judged);
  for (std::size_t m = 0; m < out.byHand.size(); ++m) {
    for (std::size_t i = 0; i < out.review.examples(); ++i) out.byHand[m] += judged.human(m, i) != nullptr;
  }
  return {};
}

}  // namespace

std::vector<OptionField> spiderFields(bool manyPredictions) {
  const FieldBuilder predictions =
      manyPredictions
          ? listField("predictions", "Predictions", "Prediction files, each as a path or as name=path.")
          : pathField(
                "predictions", "Predictions",
                "Predicted SQL: one per line (with or without a tab and the database), JSON, JSONL or CSV.");
  return {
      pathField("gold", "Gold SQL", "File with the right queries: SQL, a tab, the database, one per line."),
      pathField("tables", "Schemas", "Spider's tables.json."),
      pathField("databases", "Databases",
                "Folder with <db_id>/<db_id>.sqlite; needed only to execute queries."),
      textField("column", "SQL column",
                "Column or key that holds the predicted SQL in JSON and CSV files; empty finds it."),
      predictions};
}

OptionField presetField() {
  return choiceField("preset", "Definitions",
                     "paper_like counts joined tables as part of the sketch; tables_inferred does not.",
                     {{"paper_like", "As in the paper"}, {"tables_inferred", "Tables inferred"}});
}

std::vector<OptionField> categoryFields() {
  return {presetField(), pathField("judgements", "Set by hand",
                                   "Project whose categories, set by hand, win over the program's.")};
}

std::vector<OptionField> executionFields() {
  return {
      integerField("workers", "Workers", "Processes that execute queries at the same time.", 2)
          .between(1, 64),
      realField("seconds", "Time limit", "Seconds after which a query is stopped.", 30).between(0.05, 3600),
      flagField("keep_distinct", "Keep DISTINCT",
                "Executes DISTINCT as it is written. Without, it is deleted from both queries, as the test "
                "suite does; a result that is equal only so says nothing about the category.")};
}

OptionField questionsField() {
  return pathField("questions", "Questions", "Spider's dev.json of the same split: the questions.");
}

OptionField rowsFileField(const char* help) {
  return pathField("csv", "CSV file", help);
}

SpiderSources spiderSources(const CommandContext& context) {
  SpiderSources sources;
  sources.gold = context.options.text("gold");
  sources.tables = context.options.text("tables");
  sources.databases = fieldText(context, "databases");
  sources.questions = fieldText(context, "questions");
  std::vector<std::string> words;
  if (context.options.schema().find("predictions")->type == OptionType::TextList) {
    words = context.options.texts("predictions");
  } else {
    words.push_back(context.options.text("predictions"));
  }
  for (const auto& word : words) {
    sources.predictions.push_back(spiderPredictions(word));
    sources.predictions.back().options.sqlColumn = context.options.text("column");
  }
  return sources;
}

Result<SpiderReview> loadSpiderReview(const CommandContext& context, Progress& progress,
                                      const StopToken& stop) {
  SpiderReviewOptions options;
  options.threads = spiderThreads();
  if (hasField(context, "preset")) {
    FATHOM_TRY(options.preset, categoryPreset(context.options.text("preset")));
  }
  const SpiderSources sources = spiderSources(context);
  FATHOM_TRY(SpiderReview review, openSpiderReview(sources, options, progress, stop));
  for (const auto& note : databaseNotes(sources.databases, review.gold)) review.notes.push_back(note);
  if (const Phrase note = suiteOf(sources.databases, review.gold).note(); !note.empty())
    review.notes.push_back(note);
  for (const auto& model : review.models) {
    for (const auto& note : model.notes) review.notes.push_back(Phrase::list({model.path, note}, ": "));
  }
  for (const auto& note : review.notes) context.say(note.english());
  return review;
}

Result<CategorisedReview> categorisedReview(const CommandContext& context, Progress& progress,
                                            const StopToken& stop) {
  CategorisedReview out;
  FATHOM_TRY(out.review, loadSpiderReview(context, progress, stop));
  if (const std::string folder = context.options.text("databases"); !folder.empty()) {
    FATHOM_TRY(const auto pool, startSqlRun(context));
    FATHOM_CHECK(addExecution(out.review, *pool,
                              {folder, ExecutionRule::TestSuite, true, context.options.flag("keep_distinct")},
                              out.execution, progress, stop));
    out.sandbox = pool->sandboxText();
  }
  FATHOM_CHECK(addJudgements(context, out));
  return out;
}

void addCategoryCounts(const CategoryCounts& counts, Json& json) {
  json["false_negative"] = counts.falseNegative;
  json["column"] = counts.column;
  json["sketch"] = counts.sketch;
  json["both"] = counts.both;
}

Status addExecution(SpiderReview& review, SqlRunPool& pool, const ExecutionOptions& options,
                    std::vector<std::vector<ExecutionOutcome>>& execution, Progress& progress,
                    const StopToken& stop) {
  for (auto& note : addDatabaseFacts(pool, options.databases, review.models.front().pairs, review.schemas))
    review.notes.push_back(std::move(note));
  std::vector<std::vector<std::optional<ExecutionEvidence>>> evidence;
  for (const auto& model : review.models) {
    FATHOM_TRY(auto outcomes, executePairs(pool, model.pairs, review.schemas, options, progress, stop));
    evidence.emplace_back();
    for (const auto& outcome : outcomes) evidence.back().emplace_back(outcome.evidence());
    execution.push_back(std::move(outcomes));
  }
  return recategorise(review, review.preset, evidence, spiderThreads(), stop);
}

Result<std::unique_ptr<SqlRunPool>> startSqlRun(const CommandContext& context) {
  SqlRunPoolOptions options;
  options.workers = static_cast<int>(context.options.integer("workers"));
  options.limits.seconds = context.options.real("seconds");
  return SqlRunPool::start(options);
}

// Missing databases are told, not an error: exact match needs only tables.json.
std::vector<std::string> databaseNotes(const std::string& folder, const std::vector<GoldLine>& gold) {
  std::vector<std::string> notes;
  std::set<std::string> seen;
  for (const auto& line : gold) {
    if (folder.empty() || !seen.insert(line.dbId).second) continue;
    const std::string path = databasePath(folder, line.dbId);
    const auto file = RegularFile::open(path);
    char head[16] = {};
    const auto got = file ? file->readAt(0, head, sizeof head) : Result<std::size_t>(std::size_t{0});
    if (!got || *got != sizeof head || std::string_view(head, 15) != "SQLite format 3")
      notes.push_back(path + (fileExists(path) ? " is not an SQLite database" : " is missing"));
  }
  return notes;
}

SuiteDatabases suiteOf(const std::string& folder, const std::vector<GoldLine>& gold) {
  const SpiderDatabaseIds ids = databasesOf(gold);
  return folder.empty() ? SuiteDatabases() : suiteDatabases(folder, {ids.begin(), ids.end()});
}

void addExecutedCounts(const std::vector<ExecutionOutcome>& outcomes, bool withGoldValues, Json& json) {
  json["executed"] = allExecutionJson(outcomes, withGoldValues);
}

std::string executedText(const std::vector<ExecutedModel>& models, bool withGoldValues) {
  std::vector<std::string> head = {"execution"};
  if (models.size() > 1) head.insert(head.begin(), "model");
  for (const ExecutionCount& count : allExecutionCounts({}, withGoldValues))
    head.push_back(count.title.english());
  TextTable table(head);
  for (const ExecutedModel& model : models) {
    const auto counts = allExecutionCounts(model.outcomes, withGoldValues);
    std::set<std::string> verdicts;
    for (const ExecutionCount& count : counts)
      for (const auto& [verdict, examples] : count.counts) verdicts.insert(verdict);
    for (const std::string& verdict : verdicts) {
      std::vector<std::string> row = {verdict};
      if (models.size() > 1) row.insert(row.begin(), model.name);
      for (const ExecutionCount& count : counts) {
        const auto found = count.counts.find(verdict);
        row.push_back(std::to_string(found == count.counts.end() ? 0 : found->second));
      }
      table.addRow(std::move(row));
    }
  }
  return table.text();
}

Json suiteJson(const SuiteDatabases& suite) {
  return {{"executed", suite.executed}, {"there", suite.there}};
}

int spiderThreads() {
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, 8);
}

std::string percentText(double share) {
  return formatted("%.1f", 100 * share);
}

std::string partText(double part, double whole) {
  return whole > 0 ? percentText(part / whole) : "-";
}

Json partJson(double part, double whole) {
  return whole > 0 ? Json(100 * part / whole) : Json();
}

Json spiderNotes(const SpiderReview& review) {
  Json notes = Json::array();
  for (const Phrase& note : review.notes) notes.push_back(note.english());
  return notes;
}

Status writeCsv(const std::string& path, const std::vector<std::vector<std::string>>& rows) {
  return writeNamedFile(path, csvText(rows));
}

}  // namespace fathom
