// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/text_to_sql/text_to_sql_score.h"

#include <algorithm>

#include "core/base/errors/phrase.h"
#include "core/spider/grammar/sql_tree.h"
#include "core/spider/official/spider_evaluation.h"

namespace fathom {

namespace {

double percent(std::int64_t right, std::size_t all) {
  return all == 0 ? 0 : 100.0 * static_cast<double>(right) / static_cast<double>(all);
}

TaskScore sqlScore(std::string id, std::string title, double value, Json details) {
  TaskScore score;
  score.id = std::move(id);
  score.title = std::move(title);
  score.value = value;
  score.details = std::move(details);
  return score;
}

// Prediction of each evaluated example, in their order; null for one whose row is too wide.
struct Evaluated {
  std::vector<std::int64_t> examples;
  std::vector<const Prediction*> predictions;
};

Result<Evaluated> inOrderOfExamples(const SqlPart& part, const std::vector<Prediction>& predictions) {
  constexpr int kAbsent = -1;
  std::vector<int> wanted(part.source.size(), kAbsent);  // 1: needs a prediction, 0: has one, 2: too wide
  for (const std::int64_t index : part.kept) wanted[static_cast<std::size_t>(index)] = 1;
  std::vector<const Prediction*> found(part.source.size(), nullptr);
  for (const Prediction& prediction : predictions) {
    const std::int64_t id = prediction.example.value;
    if (id < 0 || id >= static_cast<std::int64_t>(wanted.size()) || wanted[static_cast<std::size_t>(id)] != 1)
      return dataError(Phrase::tr("prediction for example %1 is one too many")(id));
    wanted[static_cast<std::size_t>(id)] = 0;
    found[static_cast<std::size_t>(id)] = &prediction;
  }
  for (const std::int64_t index : part.tooWide) wanted[static_cast<std::size_t>(index)] = 2;
  Evaluated evaluated;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] == 1) return dataError(Phrase::tr("no prediction for example %1")(i));
    if (wanted[i] == kAbsent) continue;
    evaluated.examples.push_back(static_cast<std::int64_t>(i));
    evaluated.predictions.push_back(found[i]);
  }
  return evaluated;
}

std::vector<GrammarAction> actionsIn(const Prediction& prediction) {
  if (prediction.ids.empty()) return {};
  return {prediction.ids.begin() + 1, prediction.ids.end()};
}

// DT-Fixup's own evaluator: its parser's reading of gold against the predicted tree, which the filter must
// pass.
bool internalMatch(const std::string& gold, const std::vector<GrammarAction>& actions,
                   const SpiderSchema& schema) {
  const auto tree = treeFromActions(actions, expandedCount(schema));
  if (!tree || !treeIsValid(*tree, schema)) return false;
  const auto query = queryFromTree(*tree, schema, TableOrder::Released);
  const auto own = parseOfficialSql(correctedGold(gold), schema, SqlDialect::DtFixup);
  return query.ok() && own.ok() && exactMatch(*query, *own, schema, MatchRules::DtFixup).exact;
}

}  // namespace

std::vector<GrammarAction> sketchOf(const std::vector<GrammarAction>& actions) {
  std::vector<GrammarAction> sketch;
  for (const GrammarAction action : actions) sketch.push_back(std::min(action, kSelectColumn));
  return sketch;
}

Result<std::vector<TaskScore>> scoreSqlPredictions(const SqlPart& part, const SqlDatabases& databases,
                                                   const std::vector<Prediction>& predictions) {
  FATHOM_TRY(const Evaluated evaluated, inOrderOfExamples(part, predictions));
  std::vector<SpiderPair> pairs;
  std::int64_t internal = 0, sketches = 0;
  for (std::size_t i = 0; i < evaluated.examples.size(); ++i) {
    const auto index = static_cast<std::size_t>(evaluated.examples[i]);
    const SpiderExample& example = part.source[index];
    const Prediction* prediction = evaluated.predictions[i];
    pairs.push_back({example.dbId, example.query, prediction == nullptr ? kNoSql : prediction->text});
    if (prediction == nullptr) continue;
    const SpiderSchema& schema = *databases.at(part.questions[index].database).schema;
    const auto actions = actionsIn(*prediction);
    internal += internalMatch(example.query, actions, schema) ? 1 : 0;
    sketches += sketchOf(actions) == sketchOf(part.gold[index].actions) ? 1 : 0;
  }
  FATHOM_TRY(const SpiderEvaluation official, evaluateSpider(pairs, databases.schemas()));
  const std::size_t all = pairs.size();
  std::vector<TaskScore> scores;
  scores.push_back(sqlScore("exact_match", "Exact match (official, %)", percent(official.exactCount, all),
                            {{"right", official.exactCount},
                             {"all", all},
                             {"parse_errors", official.parseErrors},
                             {"gold_errors", official.goldErrors},
                             {"rows_too_long", part.tooWide.size()},
                             {"left_out", part.source.size() - all}}));
  for (std::size_t level = 0; level < kHardnessLevels; ++level) {
    const std::string name = hardnessName(static_cast<SpiderHardness>(level));
    const SpiderLevelScores& of = official.levels[level];
    if (of.count > 0)
      scores.push_back(sqlScore("exact_match_" + name, "Exact match, " + name + " (%)", 100 * of.exact,
                                {{"all", of.count}}));
  }
  scores.push_back(sqlScore("internal_match", "Match by DT-Fixup's evaluator (%)", percent(internal, all),
                            {{"right", internal}, {"all", all}}));
  scores.push_back(sqlScore("sketch_match", "Equal sketch (%)", percent(sketches, all),
                            {{"right", sketches}, {"all", all}}));
  return scores;
}

Metrics textToSqlMetrics() {
  constexpr const char* kExample = "nats per example";
  Metrics metrics = {
      {"loss", "training loss", "", kExample, kLowerIsBetter, 3, 2},
      {"nll", "training nll", "", kExample, kLowerIsBetter, 0, 2},
      {"valid.loss", "validation loss", "", kExample, kLowerIsBetter, 0, 2},
      {"valid.nll", "validation nll", "", kExample, kLowerIsBetter, 2, 2},
      {"epoch.loss", "training loss of an epoch", "", kExample, kLowerIsBetter, 0, 2},
      {"tokens_per_s", "training examples per second", "examples/s", "", kHigherIsBetter, 6, 2},
      {"nll_rule", "training nll of rules", "", "nats per rule", kLowerIsBetter, 0, 3},
      {"nll_column", "training nll of columns", "", "nats per column", kLowerIsBetter, 0, 3},
      {"valid.nll_rule", "validation nll of rules", "", "nats per rule", kLowerIsBetter, 0, 3},
      {"valid.nll_column", "validation nll of columns", "", "nats per column", kLowerIsBetter, 0, 3},
      {"valid.exact_match", "validation exact match", "exact match", "%", kHigherIsBetter, 1, 1},
      {"valid.internal_match", "validation match by DT-Fixup's evaluator", "internal match", "%",
       kHigherIsBetter, 0, 1},
      {"valid.sketch_match", "validation share of equal sketches", "sketch match", "%", kHigherIsBetter, 0,
       1},
      {"valid.execution", "validation execution accuracy", "execution", "%", kHigherIsBetter, 0, 1}};
  for (std::size_t level = 0; level < kHardnessLevels; ++level) {
    const std::string name = hardnessName(static_cast<SpiderHardness>(level));
    metrics.push_back({"valid.exact_match_" + name, "validation exact match, " + name, "exact match, " + name,
                       "%", kHigherIsBetter, 0, 1});
  }
  return metrics;
}

}  // namespace fathom
