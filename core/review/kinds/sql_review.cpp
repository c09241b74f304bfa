// SPDX-License-Identifier: Apache-2.0
#include "core/base/json/json_members.h"
#include "core/review/gold_options.h"
#include "core/review/kinds/shared_categories.h"
#include "core/review/reviewed_sql.h"

namespace fathom {

namespace {

std::string sqlRules(const ReviewSources& sources) {
  const std::string preset = memberText(sources.options, "preset", categoryPresets().front().id);
  return preset + "/" + std::to_string(kCategoryPresetVersion);
}

// The rule of a false negative, "table/JOIN", "invalid", …
Phrase sqlRemark(const Review& review, std::size_t model, std::size_t example) {
  const SpiderReview* spider = spiderOf(review);
  return spider == nullptr ? Phrase() : Phrase::known(spider->models[model].verdicts[example].subType);
}

Result<Review> openSqlReview(const ReviewSources& sources, int threads, Progress& progress,
                             const StopToken& stop) {
  SpiderReviewOptions options;
  options.threads = threads;
  FATHOM_TRY(options.preset, presetOf(sources));
  FATHOM_TRY(SpiderReview spider, openSpiderReview(spiderSourcesOf(sources), options, progress, stop));
  return sqlReview(std::move(spider), sources);
}

}  // namespace

ReviewKind sqlReviewEntry() {
  return {
      .id = "sql",
      .title = Phrase::tr("SQL"),
      .description = Phrase::tr("Queries for questions to databases, as in Spider"),
      .goldHelp = Phrase::tr("One query per line: SQL, a tab, the database (dev_gold.sql)"),
      .predictionsHelp = Phrase::tr("SQL per line, with or without the database; JSON, JSONL or CSV"),
      .files = {{"tables", Phrase::tr("Schemas"), Phrase::tr("Spider's tables.json"), true, {"tables.json"}},
                {"questions",
                 Phrase::tr("Questions"),
                 Phrase::tr("The JSON file with the questions of the same examples (dev.json)"),
                 false,
                 {"%1.json"}},
                {"databases",
                 Phrase::tr("Databases"),
                 Phrase::tr("Folder with <db_id>/<db_id>.sqlite; needed only to execute queries"),
                 false,
                 {"database", "databases"}}},
      .options = {{"preset",
                   Phrase::tr("Categories"),
                   Phrase::tr("paper_like or tables_inferred: what belongs to the sketch"),
                   {{"paper_like", Phrase::tr("as in the paper: joined tables belong to the sketch")},
                    {"tables_inferred", Phrase::tr("tables inferred: joined tables do not count")}}},
                  {"column", Phrase::tr("SQL column"),
                   Phrase::tr("The column or key that holds the predicted SQL")},
                  examplesOption()},
      .categories =
          {{"correct", Phrase::tr("Correct"), "✓", Phrase::tr("Exact match"), false},
           {"false_negative", Phrase::tr("False negative"), "F",
            Phrase::tr("False negative: right, but the metric does not see it; then the next one"), true,
            Counting::AsRight},
           {"column", Phrase::tr("Column"), "C", Phrase::tr("Wrong columns or tables; then the next one")},
           {"sketch", Phrase::tr("Sketch"), "S", Phrase::tr("Wrong shape of the query; then the next one")},
           {"both", Phrase::tr("Both"), "B", Phrase::tr("Wrong columns and wrong shape; then the next one")},
           goldErrorCategory(Phrase::tr("The gold query itself is wrong; then the next one"))},
      .numbers = {confidenceNumber(2)},
      .test = PairTest::McNemar,
      .compared = Phrase::tr("exact match, points"),
      .setIsGold = true,
      .figures = {"error_table", "error_shares", "exact_match", "partial_match", "facet_scores"},
      .panels = "sql",
      .columns = {"db", "hardness"},
      .answerColumns = true,
      .right = Phrase::tr("exact match"),
      .headline = Phrase::tr("Question"),
      .remark = sqlRemark,
      .rules = sqlRules,
      .open = openSqlReview};
}

}  // namespace fathom
