// SPDX-License-Identifier: Apache-2.0
#include "core/spider/linking/linking_report.h"

#include <algorithm>

#include "core/spider/grammar/sql_tree.h"
#include "core/spider/official/sql_parser.h"

namespace fathom {

namespace {

// Examples of one kind of trouble: how many, and the first.
struct TroubleNote {
  std::int64_t count = 0;
  std::string first;
  void add(std::size_t example, const std::string& why) {
    if (count++ == 0) first = "example " + std::to_string(example) + ": " + why;
  }
  void say(const std::string& what, std::vector<std::string>& notes) const {
    if (count > 0) notes.push_back(std::to_string(count) + " " + what + " (" + first + ")");
  }
};

std::vector<std::string> wordsOf(const SpiderExample& example) {
  return example.questionTokens.empty() ? wordsOfText(example.question) : example.questionTokens;
}

void countItems(const SchemaLinks& links, const SpiderSchema& schema, const GoldItems& gold,
                LinkingShares& shares) {
  for (const int column : gold.columns)
    ++shares.goldColumns[static_cast<std::size_t>(foundBy(links, false, column))];
  for (const int table : gold.tables)
    ++shares.goldTables[static_cast<std::size_t>(foundBy(links, true, table))];
  for (int column = 1; column < static_cast<int>(schema.columns.size()); ++column)
    ++shares.columns[static_cast<std::size_t>(foundBy(links, false, expandedColumn(schema, column)))];
}

}  // namespace

const char* foundByName(std::size_t kind) {
  constexpr std::array<const char*, kFoundBy> kNames = {"exact", "value", "partial", "type", "none"};
  return kNames[kind];
}

FoundBy foundBy(const SchemaLinks& links, bool table, int item) {
  FoundBy best = FoundBy::Nothing;
  for (int token = 0; token < links.tokens; ++token) {
    FoundBy here = FoundBy::Nothing;
    switch (table ? links.tableLink(item, token) : links.columnLink(item, token)) {
      case LinkCode::None:
        continue;
      case LinkCode::Exact:
        here = FoundBy::Exact;
        break;
      case LinkCode::Value:
        here = FoundBy::Value;
        break;
      case LinkCode::Partial:
        here = FoundBy::Partial;
        break;
      case LinkCode::Number:
      case LinkCode::Time:
        here = FoundBy::Type;
    }
    best = std::min(best, here);
  }
  return best;
}

Result<GoldItems> goldItems(const std::string& query, const SpiderSchema& schema) {
  FATHOM_TRY(const SqlQuery parsed, parseOfficialSql(correctedGold(query), schema, SqlDialect::DtFixup));
  FATHOM_TRY(const GrammarTree tree, treeFromQuery(parsed, schema));
  GoldItems items;
  for (const GrammarAction action : actionsOf(tree)) {
    if (action < kSelectColumn) continue;
    const ExpandedColumn column = expandedColumnAt(schema, action - kSelectColumn);
    if (column.column > 0) items.columns.insert(action - kSelectColumn);
    if (column.table >= 0) items.tables.insert(column.table);
  }
  return items;
}

double LinkingShares::share(const std::array<std::int64_t, kFoundBy>& counts, std::size_t kind) {
  std::int64_t all = 0;
  for (const auto count : counts) all += count;
  return all == 0 ? 0 : 100.0 * static_cast<double>(counts[kind]) / static_cast<double>(all);
}

Result<LinkingReport> linkDataset(SchemaLinker& linker, const SpiderDataset& dataset,
                                  const SpiderSchemas& schemas, bool keepLines, Progress& progress,
                                  const StopToken& stop, const std::vector<bool>& chosen) {
  LinkingReport report;
  TroubleNote unknown, wordless, goldless;
  progress.begin(Phrase::tr("linking").english, Phrase::tr("examples").english,
                 static_cast<double>(dataset.examples.size()));
  for (std::size_t i = 0; i < dataset.examples.size(); ++i) {
    if (stop.stopRequested()) return interruptedError();
    progress.report(static_cast<double>(i));
    const SpiderExample& example = dataset.examples[i];
    const SpiderSchema* schema = findSchema(schemas, example.dbId);
    const auto words = wordsOf(example);
    if (!schema) {
      unknown.add(i, "\"" + example.dbId + "\"");
      continue;
    }
    if (questionWords(words).empty()) {
      wordless.add(i, "database \"" + example.dbId + "\"");
      continue;
    }
    FATHOM_TRY(const LinkedQuestion linked, linker.link(example.dbId, words));
    if (keepLines) report.lines += linkFileLine(example.dbId, words, linked);
    const auto gold = goldItems(example.query, *schema);
    if (!gold) goldless.add(i, gold.error().message);
    const auto count = [&](LinkingShares& shares) {
      ++shares.examples;
      shares.withGold += gold ? 1 : 0;
      countItems(linked.links, *schema, gold ? *gold : GoldItems(), shares);
    };
    count(report.shares);
    if (i < chosen.size() && chosen[i]) count(report.chosen);
  }
  progress.finish();
  unknown.say("examples of databases that tables.json lacks are left out", report.notes);
  wordless.say("questions without words are left out", report.notes);
  goldless.say("gold queries cannot be looked at and count nowhere", report.notes);
  return report;
}

}  // namespace fathom
