// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/base/threads/stop_token.h"
#include "core/spider/data/spider_dataset.h"
#include "core/spider/grammar/action_sequence.h"
#include "core/spider/spider_schema.h"

namespace fathom {

// Fate of an example on its way into a model, in the order in which it is asked (docs/text_to_sql.md
// §1).
enum class ExampleFate : std::int8_t {
  Kept,
  UnknownDatabase,  // tables.json does not know it
  EmptyQuestion,    // no token
  KnownBad,         // the one gold query of Spider that names a table which does not exist
  ParseFailure,     // gold does not parse, or names a column the schema lacks
  NotExpressible,   // the grammar has no such construct
  NotRoundTrip,     // SQL, tree, SQL is not what it was
  TooLong           // question tokens and items together
};
constexpr std::size_t kExampleFates = 8;
// "kept", "unknown_database", "empty_question", "known_bad", "parse_failure", "not_expressible",
// "not_round_trip", "too_long".
const char* exampleFateName(ExampleFate fate);

struct SpiderFilterRules {
  bool dropNotRoundTrip = true;
  int maxLength = 200;  // question tokens + expanded columns + tables with the extra one; 0 = no limit
  static SpiderFilterRules training() { return {}; }
  static SpiderFilterRules evaluation() { return {false, 0}; }
};

struct GoldExample {
  ExampleFate fate = ExampleFate::Kept;
  std::string why;                     // what was refused, in the words of who refused it
  bool corrected = false;              // correctedGold replaced the text
  bool roundTrip = false;              // rebuilt SQL is equal by DT-Fixup's internal match
  bool valid = false;                  // treeIsValid
  int length = 0;                      // as in SpiderFilterRules::maxLength
  std::vector<GrammarAction> actions;  // empty where gold has none
};

// `schema` null: the database is unknown.
GoldExample goldExample(const SpiderExample& example, const SpiderSchema* schema,
                        const SpiderFilterRules& rules);

struct FilteredSpider {
  std::vector<GoldExample> examples;  // parallel to the data set's
  std::array<std::int64_t, kExampleFates> counts{};
  std::int64_t corrected = 0;  // among all that parse

  std::int64_t count(ExampleFate fate) const { return counts[static_cast<std::size_t>(fate)]; }
  std::vector<std::int64_t> notRoundTrip() const;  // kept or not: gold that the round trip changes
};

// {"records", "kept", every other fate by its name, "corrected", "changed_by_round_trip": [indices],
// "actions": {"mean", "longest"} of the kept ones}.
Json filterJson(const FilteredSpider& filtered);

// All examples of a data set. Interrupted when `stop` asks.
Result<FilteredSpider> filterSpider(const SpiderDataset& dataset, const SpiderSchemas& schemas,
                                    const SpiderFilterRules& rules, int threads = 1,
                                    const StopToken& stop = {});

}  // namespace fathom
