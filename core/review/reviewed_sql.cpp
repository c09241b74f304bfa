// SPDX-License-Identifier: Apache-2.0
#include "core/review/reviewed_sql.h"

#include <map>

#include "core/base/json/json_members.h"
#include "core/review/gold_options.h"

namespace fathom {

namespace {

constexpr double kDoubt = 0.6;  // confidence below which the program is not sure

struct QueryFeature {
  const char* word;
  Phrase title;
  bool (*holds)(const SqlFeatures&);
};

const std::vector<QueryFeature>& queryFeatures() {
  static const std::vector<QueryFeature> features = {
      {"join", Phrase::tr("JOIN"), [](const SqlFeatures& f) { return f.joins > 0; }},
      {"joins", Phrase::tr("two or more JOINs"), [](const SqlFeatures& f) { return f.joins > 1; }},
      {"subquery", Phrase::tr("sub-query"), [](const SqlFeatures& f) { return f.subqueries > 0; }},
      {"set", Phrase::tr("set operator"), [](const SqlFeatures& f) { return f.setOperators > 0; }},
      {"order", Phrase::tr("ORDER BY"), [](const SqlFeatures& f) { return f.orderBy; }},
      {"group", Phrase::tr("GROUP BY"), [](const SqlFeatures& f) { return f.groupBy; }},
      {"having", Phrase::tr("HAVING"), [](const SqlFeatures& f) { return f.having; }},
      {"limit", Phrase::tr("LIMIT"), [](const SqlFeatures& f) { return f.limit; }},
      {"like", Phrase::tr("LIKE"), [](const SqlFeatures& f) { return f.like; }},
      {"distinct", Phrase::tr("DISTINCT"), [](const SqlFeatures& f) { return f.distinct; }},
      {"arithmetic", Phrase::tr("arithmetic"), [](const SqlFeatures& f) { return f.arithmetic; }},
      {"aggregate", Phrase::tr("aggregate"), [](const SqlFeatures& f) { return f.aggregates > 0; }},
      {"connector", Phrase::tr("AND, OR"), [](const SqlFeatures& f) { return f.connectors > 0; }}};
  return features;
}

ReviewModel modelOf(const SpiderModel& spider) {
  ReviewModel model;
  model.name = spider.name;
  model.path = spider.path;
  model.fileHash = spider.fileHash;
  model.identity = spider.identity;
  model.notes = spider.notes;
  for (std::size_t i = 0; i < spider.pairs.size(); ++i) {
    const SpiderVerdict& match = spider.evaluation.verdicts[i];
    ReviewOutput output;
    output.given = !spider.pairs[i].predicted.empty();
    output.text = spider.pairs[i].predicted;
    output.key = spider.normalised[i];
    model.missing += !output.given;
    model.outputs.push_back(std::move(output));
    ReviewVerdict verdict;
    verdict.right = match.match.exact;
    verdict.wrong = !verdict.right && !match.goldError;
    verdict.category = static_cast<std::uint8_t>(spider.verdicts[i].category);
    verdict.score = verdict.right ? 1 : 0;
    verdict.numbers[0] = spider.verdicts[i].confidence;
    model.verdicts.push_back(verdict);
  }
  const SpiderEvaluation& evaluation = spider.evaluation;
  ReviewScore exact{
      "exact_match", Phrase::tr("exact match, %"), {}, 1, Phrase::tr("no query could be scored")};
  if (evaluation.levels[4].count > 0)
    exact.value = 100.0 * evaluation.exactCount / evaluation.levels[4].count;
  model.scores = {std::move(exact)};
  return model;
}

ReviewFacet databaseFacet(const SpiderReview& spider) {
  ReviewFacet database{"db", Phrase::tr("Database"), {}, {}, {}};
  std::map<std::string, std::int32_t> known;
  for (const GoldLine& line : spider.gold) known.emplace(line.dbId, 0);
  for (auto& [name, place] : known) {
    place = static_cast<std::int32_t>(database.values.size());
    database.values.push_back({name, Phrase::words(name)});
  }
  for (const GoldLine& line : spider.gold) database.ofExample.push_back(known[line.dbId]);
  return database;
}

ReviewFacet hardnessFacet(const SpiderReview& spider) {
  ReviewFacet hardness{"hardness",
                       Phrase::tr("Hardness"),
                       {{"easy", Phrase::tr("easy")},
                        {"medium", Phrase::tr("medium")},
                        {"hard", Phrase::tr("hard")},
                        {"extra", Phrase::tr("extra")}},
                       {},
                       {}};
  for (std::size_t i = 0; i < spider.examples(); ++i)
    hardness.ofExample.push_back(static_cast<std::int32_t>(spider.hardness(i)));
  return hardness;
}

ReviewFacet featureFacet(const SpiderReview& spider) {
  ReviewFacet feature{"feature", Phrase::tr("Gold SQL has"), {}, {}, {}};
  for (const QueryFeature& each : queryFeatures()) feature.values.push_back({each.word, each.title});
  for (const SqlFeatures& features : spider.features) {
    std::uint64_t set = 0;
    for (std::size_t f = 0; f < queryFeatures().size(); ++f)
      set |= std::uint64_t{queryFeatures()[f].holds(features)} << f;
    feature.setsOfExample.push_back(set);
  }
  return feature;
}

// Beside the states that predictions of every kind have.
ReviewFacet stateFacet(const SpiderReview& spider) {
  ReviewFacet state{"is",
                    Phrase::tr("State"),
                    {{"refused", Phrase::tr("cannot be parsed")},
                     {"false_positive", Phrase::tr("match, perhaps wrong")},
                     {"doubtful", Phrase::tr("program unsure")}},
                    {},
                    {}};
  for (const SpiderModel& model : spider.models) {
    auto& sets = state.setsOfModel.emplace_back();
    for (std::size_t i = 0; i < model.verdicts.size(); ++i) {
      const CategoryVerdict& verdict = model.verdicts[i];
      const SpiderVerdict& match = model.evaluation.verdicts[i];
      const bool refused = verdict.subType == "invalid" || verdict.subType == "too large";
      const bool wrong = !match.match.exact && !match.goldError;
      sets.push_back(std::uint64_t{refused} | std::uint64_t{verdict.possibleFalsePositive} << 1 |
                     std::uint64_t{wrong && verdict.confidence < kDoubt} << 2);
    }
  }
  return state;
}

std::string fileOf(const ReviewSources& sources, const char* key) {
  const auto found = sources.files.find(key);
  return found == sources.files.end() ? std::string() : found->second;
}

}  // namespace

Result<CategoryPreset> presetOf(const ReviewSources& sources) {
  const std::string preset = memberText(sources.options, "preset");
  if (preset.empty()) return categoryPresets().front();
  return categoryPreset(preset);
}

SpiderSources spiderSourcesOf(const ReviewSources& sources) {
  SpiderSources spider;
  spider.gold = sources.gold;
  spider.tables = fileOf(sources, "tables");
  spider.questions = fileOf(sources, "questions");
  spider.databases = fileOf(sources, "databases");
  spider.onlyPredicted = onlyPredicted(sources);
  const std::string column = memberText(sources.options, "column");
  for (const ReviewPredictions& each : sources.predictions) {
    SpiderPredictions prediction;
    prediction.name = each.name;
    prediction.path = each.path;
    prediction.options.sqlColumn = each.column.empty() ? column : each.column;
    spider.predictions.push_back(std::move(prediction));
  }
  return spider;
}

ReviewSources reviewSourcesOf(const SpiderSources& spider, const std::string& preset) {
  ReviewSources sources{kSqlReviewId, spider.gold};
  for (const auto& [key, path] :
       {std::pair{"tables", &spider.tables}, std::pair{"questions", &spider.questions},
        std::pair{"databases", &spider.databases}})
    if (!path->empty()) sources.files[key] = *path;
  sources.options["preset"] = preset;
  if (spider.onlyPredicted) sources.options["examples"] = "predicted";
  for (const SpiderPredictions& each : spider.predictions)
    sources.predictions.push_back({each.name, each.path, {}, each.options.sqlColumn});
  return sources;
}

const SpiderReview* spiderOf(const Review& review) {
  const auto* own = dynamic_cast<const SqlOwn*>(review.own.get());
  return own == nullptr ? nullptr : &own->spider;
}

Review sqlReviewOf(const SpiderReview& spider) {
  Review review;
  review.kind = findReviewKind(kSqlReviewId).value();
  review.sources.kind = kSqlReviewId;
  review.sources.options["preset"] = spider.preset.id;
  review.dataset = spider.dataset;
  review.gold.texts = {{"question", Phrase::tr("Question")}, {"database", Phrase::tr("Database")}};
  review.gold.notes = spider.notes;
  for (std::size_t i = 0; i < spider.examples(); ++i) {
    ReviewExample example;
    example.id = std::to_string(i);
    example.texts = {i < spider.questions.size() ? spider.questions[i] : std::string(), spider.gold[i].dbId};
    example.references = {spider.gold[i].sql};
    example.scored = !spider.models.front().evaluation.verdicts[i].goldError;
    review.gold.examples.push_back(std::move(example));
  }
  for (const SpiderModel& model : spider.models) review.models.push_back(modelOf(model));
  return review;
}

Review sqlReview(SpiderReview spider, ReviewSources sources) {
  Review review = sqlReviewOf(spider);
  review.sources = std::move(sources);
  review.facets = {hardnessFacet(spider), stateFacet(spider), featureFacet(spider), databaseFacet(spider)};
  auto own = std::make_shared<SqlOwn>();
  own->spider = std::move(spider);
  review.own = std::move(own);
  return review;
}

std::vector<std::vector<ErrorCategory>> errorCategories(
    const std::vector<std::vector<std::uint8_t>>& categories) {
  std::vector<std::vector<ErrorCategory>> out;
  for (const auto& ofModel : categories) {
    auto& each = out.emplace_back();
    for (const std::uint8_t category : ofModel) each.push_back(static_cast<ErrorCategory>(category));
  }
  return out;
}

}  // namespace fathom
