// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/support_spider_targets.h"

#include <cstdlib>

#include "core/base/text/utf8.h"
#include "core/spider/data/prediction_file.h"
#include "core/spider/grammar/sql_tree.h"
#include "core/spider/judgement/spider_review.h"
#include "core/spider/linking/schema_linker.h"
#include "core/spider/scoped/value_plugin.h"

namespace fathom {

namespace {

void demand(bool condition) {
  if (!condition) std::abort();
}

const SpiderSchemas& schemas() {
  static const SpiderSchemas made = parseSpiderTables(R"([{"db_id":"clubs",
    "table_names_original":["person","club","membership"],
    "column_names_original":[[-1,"*"],[0,"person_id"],[0,"name"],[0,"age"],[1,"club_id"],[1,"name"],
      [2,"person_id"],[2,"club_id"],[2,"role"]],
    "primary_keys":[1,4],"foreign_keys":[[6,1],[7,4]]}])",
                                                      "made")
                                        .value();
  return made;
}

}  // namespace

void fuzzSql(std::string_view bytes) {
  const SpiderSchema& schema = schemas().at("clubs");
  const std::string sql(bytes);
  const auto official = parseOfficialSql(sql, schema);
  if (official) {
    // What parses is its own exact match, and survives the way through the grammar where it has one.
    // A number that is NaN equals nothing.
    const bool odd = asciiLower(sql).find("nan") != std::string::npos || official->select.empty();
    demand(odd || exactMatch(*official, *official, schema).exact);
    if (const auto tree = treeFromQuery(*official, schema)) {
      const auto actions = actionsOf(*tree);
      const auto again = treeFromActions(actions, expandedCount(schema));
      demand(again.ok() && *again == *tree);
      if (const auto back = queryFromTree(*tree, schema)) demand(!sqlText(*back, schema).empty());
    }
  }
  const PreparedSql scoped = prepareSql(sql, schema);
  demand(scoped.ok() || (!scoped.parse.error.empty() && scoped.parse.errorAt <= sql.size()));
  const std::string normal = normalisedSql(sql);
  demand(normalisedSql(normal) == normal);
  for (const SourceSpan span : literalSlots(sql)) demand(span.begin < span.end && span.end <= sql.size());
  for (const auto& variant : pluggedQueries("SELECT name FROM person WHERE age = 3 AND name = 'a'", sql, 20))
    demand(variant != sql);
  const std::vector<SpiderPair> pairs = {{"clubs", "SELECT name FROM person WHERE age > 1", sql},
                                         {"clubs", sql, "SELECT count(*) FROM club"}};
  const auto evaluation = evaluateSpider(pairs, schemas()).value();
  for (const auto& preset : categoryPresets()) {
    const auto verdicts = categoriseAll(pairs, evaluation, schemas(), {preset, 1, {}}).value();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      demand((verdicts[i].category == ErrorCategory::Correct) == evaluation.verdicts[i].match.exact);
      for (const auto& reason : verdicts[i].reasons) demand(!reason.text().empty());
    }
  }
}

void fuzzSqlPair(std::string_view bytes) {
  const std::size_t end = bytes.find('\n');
  const std::string gold(bytes.substr(0, end));
  const std::string predicted(end == std::string_view::npos ? "" : bytes.substr(end + 1));
  const std::vector<SpiderPair> pairs = {{"clubs", gold, predicted}};
  const auto evaluation = evaluateSpider(pairs, schemas()).value();
  for (const auto& preset : categoryPresets()) {
    const auto verdict = categoriseAll(pairs, evaluation, schemas(), {preset, 1, {}}).value().front();
    // What is kept of a pair is small, whatever the pair is.
    std::size_t kept = verdict.subType.size();
    for (const auto& reason : verdict.reasons) kept += reason.text().size() + reason.clause.size();
    demand(kept < 64 * 1024);
  }
  for (const auto& variant : pluggedQueries(gold, predicted)) demand(variant != predicted);
}

void fuzzPredictions(std::string_view bytes) {
  const auto gold = parseGoldText("SELECT a\tclubs\nSELECT b\tclubs\n", "gold").value();
  for (const char* name : {"p.sql", "p.json", "p.jsonl", "p.csv", "p"}) {
    const auto file = parsePredictionText(bytes, name);
    if (!file) {
      demand(!file.error().message.empty());
      continue;
    }
    demand(!file->lines.empty());
    for (const auto pairing : {PredictionPairing::Official, PredictionPairing::Careful}) {
      const auto paired = pairPredictions(gold, *file, pairing);
      demand(!paired || paired->pairs.size() <= gold.size());
      demand(!paired || pairing == PredictionPairing::Official || paired->pairs.size() == gold.size());
    }
  }
  const auto lines = parseGoldText(bytes, "gold");
  demand(!lines || !lines->empty());
}

void fuzzTables(std::string_view bytes) {
  const auto read = parseSpiderTables(bytes, "tables.json");
  if (!read) return;
  for (const auto& [id, schema] : *read) {
    demand(schema.keyGroup.size() == schema.columns.size());
    for (std::size_t c = 0; c < schema.columns.size(); ++c) {
      demand(schema.columns[c].table < static_cast<int>(schema.tables.size()));
      demand(!schema.columnText(static_cast<int>(c)).empty() || schema.columns[c].originalName.empty());
      demand(schema.keyGroup[c] >= 0 && schema.keyGroup[c] <= static_cast<int>(c));
    }
    // A query over whatever is there.
    if (!schema.tables.empty()) prepareSql("SELECT * FROM " + schema.tables[0].originalName, schema);
  }
}

void fuzzLinks(std::string_view bytes) {
  if (const auto file = LinkFile::parse(bytes, "links", schemas())) demand(file->count() > 0);
  if (const auto values = parseStoredValues(bytes, "values", {"clubs"})) demand(values->size() <= 1);
  StoredDatabase database;
  database.columns = {{"person", "name", {std::string(bytes.substr(0, 1000)), "ann lee"}, ""}};
  const StoredValues values = {{"clubs", database}};
  LinkingSources sources;
  sources.schemas = &schemas();
  sources.values = &values;
  const auto words = wordsOfText(bytes);
  for (const auto& word : words) demand(!word.empty());
  const auto linker = openSchemaLinker("stems", sources).value();
  const auto linked = linker.linker->link("clubs", words);
  demand(linked.ok() == !questionWords(words).empty());
  if (!linked || firstInvalidUtf8(bytes) != std::string_view::npos) return;
  const std::string line = linkFileLine("clubs", words, *linked);
  const auto again = LinkFile::parse(line, "links", schemas()).value().find("clubs", words).value();
  demand(again.tokens == linked->tokens && again.links.column == linked->links.column &&
         again.links.table == linked->links.table);
}

}  // namespace fathom
