// SPDX-License-Identifier: Apache-2.0
#include "core/spider/grammar/search_details.h"

#include <cmath>
#include <utility>

#include "core/base/errors/phrase.h"
#include "core/spider/spider_schema.h"

namespace fathom {

namespace {

constexpr std::size_t kMostExplained = 20;                        // hypotheses of a prediction
constexpr std::size_t kMostDetailBytes = std::size_t{256} << 10;  // of a prediction, as they are stored
constexpr const char* kColumnKind = "column";
constexpr const char* kRuleKind = "rule";

// Seven digits behind the point: a hundred actions sum to the score within 1e-5.
double roundedLogP(double value) {
  const double rounded = std::round(value * 1e7) / 1e7;
  return rounded == 0 ? 0 : rounded;  // never -0
}

Json hypothesisNumbers(const GrammarHypothesis& hypothesis, bool finished) {
  Json logP = Json::array();
  for (const double value : hypothesis.logProbabilities) logP.push_back(jsonReal(roundedLogP(value)));
  return {{"ids", hypothesis.actions},
          {"log_probabilities", std::move(logP)},
          {"score", jsonReal(hypothesis.score)},
          {"finished", finished}};
}

Json explainedHypothesis(const Json& numbers, const SpiderSchema& schema, SqlTextStyle style) {
  const auto ids = numbers.at("ids").get<std::vector<GrammarAction>>();
  const Json& logP = numbers.at("log_probabilities");
  Json actions = Json::array();
  for (std::size_t i = 0; i < ids.size(); ++i)
    actions.push_back({{"action", actionText(ids[i], schema)},
                       {"kind", ids[i] >= kSelectColumn ? kColumnKind : kRuleKind},
                       {"log_probability", logP.at(i)}});
  const bool finished = numbers.at("finished");
  const auto sql = finished ? sqlOfActions(ids, schema, style) : Result<std::string>(std::string());
  return {{"sql", sql.ok() ? *sql : std::string()},
          {"score", numbers.at("score")},
          {"finished", finished},
          {"actions", std::move(actions)}};
}

Error lacks(const char* member) {
  return dataError(Phrase::tr("the hypotheses of a prediction lack \"%1\"")(member));
}

double storedReal(const Json& object, const char* member) {
  const auto value = object.contains(member) ? realFromJson(object[member]) : Result<double>(std::nan(""));
  return value.ok() ? *value : std::nan("");
}

Result<ExplainedHypothesis> hypothesisFromJson(const Json& json) {
  if (!json.is_object() || !json.contains("actions") || !json["actions"].is_array()) return lacks("actions");
  if (!json.contains("sql") || !json["sql"].is_string()) return lacks("sql");
  ExplainedHypothesis hypothesis;
  hypothesis.sql = json["sql"].get<std::string>();
  hypothesis.score = storedReal(json, "score");
  hypothesis.finished = !json.contains("finished") || json["finished"] != false;
  for (const Json& one : json["actions"]) {
    if (!one.is_object() || !one.contains("action") || !one["action"].is_string()) return lacks("action");
    hypothesis.actions.push_back({one["action"].get<std::string>(),
                                  one.contains("kind") && one["kind"] == kColumnKind,
                                  storedReal(one, "log_probability")});
  }
  return hypothesis;
}

}  // namespace

std::string actionText(GrammarAction action, const SpiderSchema& schema) {
  if (action == kReduce) return "Reduce";
  if (action >= 0 && action < kGrammarRules)
    return grammarProductions()[static_cast<std::size_t>(action)].constructor;
  const int expanded = action - kSelectColumn;
  if (expanded < 0 || expanded >= expandedCount(schema)) return std::to_string(action);
  const ExpandedColumn at = expandedColumnAt(schema, expanded);
  if (at.column > 0) return schema.columnText(at.column);
  return at.table < 0 ? "*" : schema.tables[static_cast<std::size_t>(at.table)].originalName + ".*";
}

Result<std::string> sqlOfActions(const std::vector<GrammarAction>& actions, const SpiderSchema& schema,
                                 SqlTextStyle style) {
  FATHOM_TRY(const GrammarTree tree, treeFromActions(actions, expandedCount(schema)));
  const auto order = style == SqlTextStyle::Released ? TableOrder::Released : TableOrder::Ascending;
  FATHOM_TRY(const SqlQuery query, queryFromTree(tree, schema, order));
  return sqlText(query, schema, style);
}

Json searchNumbers(const GrammarSearchResult& result, std::int64_t database,
                   std::vector<std::string> tokens) {
  Json hypotheses = Json::array();
  const auto add = [&hypotheses](const std::vector<GrammarHypothesis>& all, bool finished) {
    for (const GrammarHypothesis& one : all) {
      if (hypotheses.size() < kMostExplained) hypotheses.push_back(hypothesisNumbers(one, finished));
    }
  };
  add(result.completed, true);
  add(result.unfinished, false);
  return {{"number", database}, {"tokens", std::move(tokens)}, {"hypotheses", std::move(hypotheses)}};
}

Json explainedSearch(const Json& numbers, const std::function<const SpiderSchema*(std::int64_t)>& schemaOf,
                     SqlTextStyle style) {
  if (!numbers.is_object() || !numbers.contains("number")) return numbers;
  const SpiderSchema* schema = schemaOf(numbers.at("number").get<std::int64_t>());
  if (schema == nullptr) return {};
  Json hypotheses = Json::array();
  std::size_t bytes = 0;
  for (const Json& one : numbers.at("hypotheses")) {
    Json explained = explainedHypothesis(one, *schema, style);
    bytes += explained.dump(-1, ' ', false, Json::error_handler_t::replace).size();
    if (bytes > kMostDetailBytes) break;
    hypotheses.push_back(std::move(explained));
  }
  return {
      {"database", schema->dbId}, {"tokens", numbers.at("tokens")}, {"hypotheses", std::move(hypotheses)}};
}

Result<SearchDetails> searchDetailsFromJson(const Json& json) {
  if (!json.is_object() || !json.contains("hypotheses") || !json["hypotheses"].is_array())
    return lacks("hypotheses");
  SearchDetails details;
  if (json.contains("database") && json["database"].is_string())
    details.database = json["database"].get<std::string>();
  if (json.contains("tokens") && json["tokens"].is_array()) {
    for (const Json& token : json["tokens"])
      if (token.is_string()) details.tokens.push_back(token.get<std::string>());
  }
  for (const Json& one : json["hypotheses"]) {
    FATHOM_TRY(ExplainedHypothesis hypothesis, hypothesisFromJson(one));
    details.hypotheses.push_back(std::move(hypothesis));
  }
  return details;
}

}  // namespace fathom
