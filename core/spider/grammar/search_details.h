// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/spider/grammar/grammar_search.h"
#include "core/spider/grammar/sql_tree.h"

namespace fathom {

// Details of a search over the grammar beside its answer (docs/decoding.md §3): the final beam, every action
// with its log p. Stored as "details" with a prediction.

struct ExplainedAction {
  std::string text;     // see actionText
  bool column = false;  // selects a column; otherwise a rule
  double logProbability = 0;
};

struct ExplainedHypothesis {
  std::string sql;  // empty where the actions make no query
  double score = 0;
  bool finished = true;  // false: the search ended before the derivation did
  std::vector<ExplainedAction> actions;
};

struct SearchDetails {
  std::string database;
  std::vector<std::string> tokens;              // of the question
  std::vector<ExplainedHypothesis> hypotheses;  // finished ones first, each kind best first
};

// The constructor of a production ("SelectCol"), "Reduce", or a column ("singer.name", "singer.*", "*").
std::string actionText(GrammarAction action, const SpiderSchema& schema);

// The SQL that actions make, in the order of tables that belongs to the style. Error: they make no query.
Result<std::string> sqlOfActions(const std::vector<GrammarAction>& actions, const SpiderSchema& schema,
                                 SqlTextStyle style);

// As the search gives it: numbers only. Of a wide beam the first 20 hypotheses.
Json searchNumbers(const GrammarSearchResult& result, std::int64_t database, std::vector<std::string> tokens);
// The same with names and texts, as it is stored: {"database", "tokens", "hypotheses": [{"sql", "score",
// "finished", "actions": [{"action", "kind": "rule" | "column", "log_probability"}]}]}. Hypotheses that would
// take a prediction's details over 256 KiB are left out, the worst first. Other JSON stays as it is.
// `schemaOf`: by the number of the database, null where there is none.
Json explainedSearch(const Json& numbers, const std::function<const SpiderSchema*(std::int64_t)>& schemaOf,
                     SqlTextStyle style);

// Error: a member that is missing or of another kind, named.
Result<SearchDetails> searchDetailsFromJson(const Json& json);

}  // namespace fathom
