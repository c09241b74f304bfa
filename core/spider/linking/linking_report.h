// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/spider/data/spider_dataset.h"
#include "core/spider/linking/schema_linker.h"

namespace fathom {

// Columns and tables that the gold query uses: expanded ids of real columns, and tables.
struct GoldItems {
  std::set<int> columns, tables;
};
// Error: a query that the parser or the grammar refuses.
Result<GoldItems> goldItems(const std::string& query, const SpiderSchema& schema);

// Way in which items were found, by the best link that any word has with them.
enum class FoundBy : std::uint8_t { Exact, Value, Partial, Type, Nothing };
constexpr std::size_t kFoundBy = 5;
const char* foundByName(std::size_t kind);  // "exact", "value", "partial", "type" (number or time), "none"
FoundBy foundBy(const SchemaLinks& links, bool table, int item);

struct LinkingShares {
  std::array<std::int64_t, kFoundBy> goldColumns{}, goldTables{};
  std::array<std::int64_t, kFoundBy> columns{};  // all real columns of all examples
  std::int64_t examples = 0;                     // linked ones
  std::int64_t withGold = 0;                     // whose gold could be looked at
  static double share(const std::array<std::int64_t, kFoundBy>& counts, std::size_t kind);  // percent
};

struct LinkingReport {
  LinkingShares shares;
  LinkingShares chosen;            // of the chosen examples
  std::string lines;               // links as in a file of links, one line per example that could be linked
  std::vector<std::string> notes;  // examples that could not be linked or have no gold to look at, counted
};

// Links every example. Examples whose database is unknown or that have no words are named and left out; a
// file of links that lacks one is an error. `keepLines`: fill `lines`. `chosen`: one a record, those that
// count in the report's `chosen`; empty: none do.
Result<LinkingReport> linkDataset(SchemaLinker& linker, const SpiderDataset& dataset,
                                  const SpiderSchemas& schemas, bool keepLines, Progress& progress,
                                  const StopToken& stop = {}, const std::vector<bool>& chosen = {});

}  // namespace fathom
