// SPDX-License-Identifier: Apache-2.0
#include "core/spider/grammar/spider_filter.h"

#include <algorithm>

#include "core/base/errors/word_table.h"
#include "core/base/threads/thread_ranges.h"
#include "core/spider/grammar/sql_tree.h"
#include "core/spider/official/spider_exact_match.h"

namespace fathom {

namespace {

// Record 3153 of train_spider.json joins a table that its database does not have; the released code leaves it
// out by its text.
constexpr std::string_view kKnownBad =
    "SELECT T1.company_name FROM Third_Party_Companies AS T1 JOIN Maintenance_Contracts AS T2 ON "
    "T1.company_id  =  T2.maintenance_contract_company_id JOIN Ref_Company_Types AS T3 ON "
    "T1.company_type_code  =  T3.company_type_code ORDER BY T2.contract_end_date DESC LIMIT 1";

// The tree of gold, or why there is none.
struct GoldTree {
  ExampleFate fate = ExampleFate::Kept;
  std::string why;
  SqlQuery query;
  GrammarTree tree;
};

GoldTree goldTree(const std::string& sql, const SpiderSchema& schema) {
  GoldTree gold;
  auto query = parseOfficialSql(sql, schema, SqlDialect::DtFixup);
  if (!query) {
    gold.fate = ExampleFate::ParseFailure;
    gold.why = query.error().message;
    return gold;
  }
  auto tree = treeFromQuery(*query, schema);
  if (!tree) {
    gold.fate = ExampleFate::NotExpressible;
    gold.why = tree.error().message;
    return gold;
  }
  gold.query = std::move(*query);
  gold.tree = std::move(*tree);
  return gold;
}

}  // namespace

const char* exampleFateName(ExampleFate fate) {
  static constexpr EnumWord<ExampleFate> kFates[] = {{ExampleFate::Kept, "kept"},
                                                     {ExampleFate::UnknownDatabase, "unknown_database"},
                                                     {ExampleFate::EmptyQuestion, "empty_question"},
                                                     {ExampleFate::KnownBad, "known_bad"},
                                                     {ExampleFate::ParseFailure, "parse_failure"},
                                                     {ExampleFate::NotExpressible, "not_expressible"},
                                                     {ExampleFate::NotRoundTrip, "not_round_trip"},
                                                     {ExampleFate::TooLong, "too_long"}};
  return wordOf(kFates, fate);
}

GoldExample goldExample(const SpiderExample& example, const SpiderSchema* schema,
                        const SpiderFilterRules& rules) {
  GoldExample gold;
  const auto refuse = [&](ExampleFate fate, std::string why) {
    gold.fate = fate;
    gold.why = std::move(why);
    return gold;
  };
  if (schema == nullptr)
    return refuse(ExampleFate::UnknownDatabase, "database \"" + example.dbId + "\" is unknown");
  const auto words = static_cast<int>(example.questionTokens.size());
  gold.length = words + expandedCount(*schema) + static_cast<int>(schema->tables.size()) + 1;
  if (words == 0) return refuse(ExampleFate::EmptyQuestion, "the question has no token");
  if (example.query == kKnownBad)
    return refuse(ExampleFate::KnownBad, "table Ref_Company_Types does not exist");
  const std::string sql = correctedGold(example.query);
  gold.corrected = sql != example.query;
  GoldTree made = goldTree(sql, *schema);
  if (made.fate != ExampleFate::Kept) return refuse(made.fate, std::move(made.why));
  gold.actions = actionsOf(made.tree);
  // In the released order: the match compares the tables of nested queries one by one.
  const auto back = queryFromTree(made.tree, *schema, TableOrder::Released);
  gold.roundTrip = back.ok() && exactMatch(*back, made.query, *schema, MatchRules::DtFixup).exact;
  gold.valid = treeIsValid(made.tree, *schema);
  if (rules.dropNotRoundTrip && !gold.roundTrip)
    return refuse(ExampleFate::NotRoundTrip, "rebuilt from its actions it is another query");
  if (rules.maxLength > 0 && gold.length > rules.maxLength)
    return refuse(ExampleFate::TooLong, std::to_string(gold.length) +
                                            " question tokens and items, the limit is " +
                                            std::to_string(rules.maxLength));
  return gold;
}

std::vector<std::int64_t> FilteredSpider::notRoundTrip() const {
  std::vector<std::int64_t> indices;
  for (std::size_t i = 0; i < examples.size(); ++i)
    if (!examples[i].actions.empty() && !examples[i].roundTrip)
      indices.push_back(static_cast<std::int64_t>(i));
  return indices;
}

Json filterJson(const FilteredSpider& filtered) {
  Json json = {{"records", filtered.examples.size()}};
  for (std::size_t fate = 0; fate < kExampleFates; ++fate)
    json[exampleFateName(static_cast<ExampleFate>(fate))] = filtered.counts[fate];
  json["corrected"] = filtered.corrected;
  json["changed_by_round_trip"] = filtered.notRoundTrip();
  std::size_t actions = 0, longest = 0;
  for (const GoldExample& gold : filtered.examples) {
    if (gold.fate != ExampleFate::Kept) continue;
    actions += gold.actions.size();
    longest = std::max(longest, gold.actions.size());
  }
  const auto kept = static_cast<double>(std::max<std::int64_t>(1, filtered.count(ExampleFate::Kept)));
  json["actions"] = {{"mean", static_cast<double>(actions) / kept}, {"longest", longest}};
  return json;
}

Result<FilteredSpider> filterSpider(const SpiderDataset& dataset, const SpiderSchemas& schemas,
                                    const SpiderFilterRules& rules, int threads, const StopToken& stop) {
  FilteredSpider filtered;
  filtered.examples.resize(dataset.examples.size());
  FATHOM_CHECK(forRanges(dataset.examples.size(), threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      if (stop.stopRequested()) throw Failure(interruptedError());
      const SpiderExample& example = dataset.examples[i];
      filtered.examples[i] = goldExample(example, findSchema(schemas, example.dbId), rules);
    }
  }));
  for (const GoldExample& gold : filtered.examples) {
    ++filtered.counts[static_cast<std::size_t>(gold.fate)];
    filtered.corrected += gold.corrected ? 1 : 0;
  }
  return filtered;
}

}  // namespace fathom
