// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "core/base/json/json_members.h"
#include "core/review/gold_options.h"
#include "core/review/kinds/shared_categories.h"
#include "core/review/review_kind.h"
#include "core/spider/judgement/spider_review.h"

namespace fathom {

namespace {

constexpr ErrorCategory kSqlCategories[] = {ErrorCategory::Correct, ErrorCategory::FalseNegative,
                                            ErrorCategory::Column,  ErrorCategory::Sketch,
                                            ErrorCategory::Both,    ErrorCategory::GoldError};

ReviewSources spiderSourcesOf(const KindSources& sources) {
  const auto file = [&sources](const char* key) {
    const auto found = sources.files.find(key);
    return found == sources.files.end() ? std::string() : found->second;
  };
  ReviewSources spider;
  spider.gold = sources.gold;
  spider.tables = file("tables");
  spider.questions = file("questions");
  spider.databases = file("databases");
  spider.onlyPredicted = onlyPredicted(sources);
  for (const KindPredictions& each : sources.predictions) {
    ReviewPrediction prediction;
    prediction.name = each.name;
    prediction.path = each.path;
    prediction.options.sqlColumn = memberText(sources.options, "column");
    spider.predictions.push_back(std::move(prediction));
  }
  return spider;
}

std::uint8_t sqlCategory(ErrorCategory category) {
  for (std::size_t i = 0; i < std::size(kSqlCategories); ++i)
    if (kSqlCategories[i] == category) return static_cast<std::uint8_t>(i);
  return 0;
}

KindModel modelOf(const ReviewModel& spider) {
  KindModel model;
  model.name = spider.name;
  model.path = spider.path;
  model.fileHash = spider.fileHash;
  model.identity = spider.identity;
  model.notes = spider.notes;
  for (std::size_t i = 0; i < spider.pairs.size(); ++i) {
    const SpiderVerdict& match = spider.evaluation.verdicts[i];
    KindOutput output;
    output.given = !spider.pairs[i].predicted.empty();
    output.text = spider.pairs[i].predicted;
    output.key = spider.normalised[i];
    model.missing += !output.given;
    model.outputs.push_back(std::move(output));
    KindVerdict verdict;
    verdict.right = match.match.exact;
    verdict.wrong = !verdict.right && !match.goldError;
    verdict.category = sqlCategory(spider.verdicts[i].category);
    verdict.score = verdict.right ? 1 : 0;
    verdict.numbers[0] = spider.verdicts[i].confidence;
    model.verdicts.push_back(verdict);
  }
  const SpiderEvaluation& evaluation = spider.evaluation;
  KindScore exact{"exact_match", Phrase::tr("exact match, %"), {}, 1, Phrase::tr("no query could be scored")};
  if (evaluation.levels[4].count > 0)
    exact.value = 100.0 * evaluation.exactCount / evaluation.levels[4].count;
  model.scores = {std::move(exact)};
  return model;
}

std::vector<KindFacet> sqlFacets(const SpiderReview& spider) {
  KindFacet hardness{"hardness",
                     Phrase::tr("Hardness"),
                     {{"easy", Phrase::tr("easy")},
                      {"medium", Phrase::tr("medium")},
                      {"hard", Phrase::tr("hard")},
                      {"extra", Phrase::tr("extra")}},
                     {},
                     {}};
  KindFacet database{"db", Phrase::tr("Database"), {}, {}, {}};
  std::map<std::string, std::int32_t> known;
  for (const GoldLine& line : spider.gold) known.emplace(line.dbId, 0);
  for (auto& [name, place] : known) {
    place = static_cast<std::int32_t>(database.values.size());
    database.values.push_back({name, Phrase::words(name)});
  }
  for (std::size_t i = 0; i < spider.examples(); ++i) {
    hardness.ofExample.push_back(static_cast<std::int32_t>(spider.hardness(i)));
    database.ofExample.push_back(known[spider.gold[i].dbId]);
  }
  return {std::move(hardness), std::move(database)};
}

Result<KindReview> openSqlReview(const KindSources& sources, int threads, Progress& progress,
                                 const StopToken& stop) {
  ReviewOptions options;
  options.threads = threads;
  if (const std::string preset = memberText(sources.options, "preset"); !preset.empty()) {
    FATHOM_TRY(options.preset, categoryPreset(preset));
  }
  FATHOM_TRY(const SpiderReview spider, openSpiderReview(spiderSourcesOf(sources), options, progress, stop));
  KindReview review;
  FATHOM_TRY(review.kind, findReviewKind("sql"));
  review.sources = sources;
  review.dataset = spider.dataset;
  review.gold.texts = {{"question", Phrase::tr("Question")}, {"database", Phrase::tr("Database")}};
  review.gold.notes = spider.notes;
  for (std::size_t i = 0; i < spider.examples(); ++i) {
    KindExample example;
    example.id = std::to_string(i);
    example.texts = {i < spider.questions.size() ? spider.questions[i] : std::string(), spider.gold[i].dbId};
    example.references = {spider.gold[i].sql};
    example.scored = !spider.models.front().evaluation.verdicts[i].goldError;
    review.gold.examples.push_back(std::move(example));
  }
  for (const ReviewModel& model : spider.models) review.models.push_back(modelOf(model));
  review.facets = sqlFacets(spider);
  return review;
}

}  // namespace

ReviewKind sqlReviewEntry() {
  return {
      .id = "sql",
      .title = Phrase::tr("SQL"),
      .description = Phrase::tr("Queries for questions to databases, as in Spider"),
      .goldHelp = Phrase::tr("One query per line: SQL, a tab, the database (dev_gold.sql)"),
      .predictionsHelp = Phrase::tr("SQL per line, with or without the database; JSON, JSONL or CSV"),
      .files = {{"tables", Phrase::tr("Schemas"), Phrase::tr("Spider's tables.json"), true},
                {"questions", Phrase::tr("Questions"),
                 Phrase::tr("The JSON file with the questions of the same examples (dev.json)")},
                {"databases", Phrase::tr("Databases"),
                 Phrase::tr("Folder with <db_id>/<db_id>.sqlite; needed only to execute queries")}},
      .options = {{"preset", Phrase::tr("Categories"),
                   Phrase::tr("paper_like or tables_inferred: what belongs to the sketch")},
                  {"column", Phrase::tr("SQL column"),
                   Phrase::tr("The column or key that holds the predicted SQL")},
                  examplesOption()},
      .categories =
          {{"correct", Phrase::tr("Correct"), "✓", Phrase::tr("Exact match"), false},
           {"false_negative", Phrase::tr("False negative"), "F",
            Phrase::tr("False negative: right, but the metric does not see it; then the next one")},
           {"column", Phrase::tr("Column"), "C", Phrase::tr("Wrong columns or tables; then the next one")},
           {"sketch", Phrase::tr("Sketch"), "S", Phrase::tr("Wrong shape of the query; then the next one")},
           {"both", Phrase::tr("Both"), "B", Phrase::tr("Wrong columns and wrong shape; then the next one")},
           goldErrorCategory(Phrase::tr("The gold query itself is wrong; then the next one"))},
      .numbers = {confidenceNumber(2)},
      .test = KindTest::McNemar,
      .compared = Phrase::tr("exact match, points"),
      .setIsGold = true,
      .ownPanels = true,
      .open = openSqlReview};
}

}  // namespace fathom
