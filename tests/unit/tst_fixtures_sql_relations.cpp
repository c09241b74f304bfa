// SPDX-License-Identifier: Apache-2.0
// Relation ids from given links: the matrices of area "sql_relations" of the fixtures.
#include <QTest>
#include <set>

#include "core/record/formats/safetensors_file.h"
#include "core/spider/inputs/schema_relations.h"
#include "tests/unit/support_golden_case.h"
#include "tests/unit/support_spider_data.h"

using namespace fathom;

namespace {

// With the ids of tables.json, as RAT-SQL's own code has them.
RelationGraph graphOf(const SpiderSchema& schema) {
  RelationGraph graph;
  for (const auto& column : schema.columns) {
    graph.columnTable.push_back(column.table);
    graph.primary.push_back(column.primary ? 1 : 0);
  }
  graph.foreignKeys = schema.foreignKeys;
  graph.tables = static_cast<int>(schema.tables.size());
  return graph;
}

SchemaLinks dtFixupLinks(const Json& line, const RelationGraph& graph) {
  SchemaLinks links(line.at("n").get<int>(), graph.columnCount(), graph.tables);
  for (const Json& cell : line.at("column_links"))
    links.columnLink(cell[0], cell[1]) = static_cast<LinkCode>(cell[2].get<int>());
  for (const Json& cell : line.at("table_links"))
    links.tableLink(cell[0], cell[1]) = static_cast<LinkCode>(cell[2].get<int>());
  return links;
}

// Names before values before numbers and times.
SchemaLinks ratSqlLinks(const Json& line, const RelationGraph& graph) {
  SchemaLinks links(line.at("n").get<int>(), graph.columnCount(), graph.tables);
  const Json& rat = line.at("rat");
  for (const Json& number : rat.at("number"))
    links.columnLink(number[1], number[0]) = number[2] == "TIME" ? LinkCode::Time : LinkCode::Number;
  for (const Json& value : rat.at("cell")) links.columnLink(value[1], value[0]) = LinkCode::Value;
  for (const Json& name : rat.at("name")) {
    LinkCode& cell = name[1] == "c" ? links.columnLink(name[2], name[0]) : links.tableLink(name[2], name[0]);
    cell = name[3] == "E" ? LinkCode::Exact : LinkCode::Partial;
  }
  return links;
}

std::vector<double> matrix(const RelationGraph& graph, RelationSet set, const SchemaLinks& links) {
  const SchemaRelations relations(graph, set);
  const auto n = static_cast<std::size_t>(relations.size(links));
  std::vector<std::uint8_t> ids(n * n);
  relations.write(links, ids);
  return {ids.begin(), ids.end()};
}

}  // namespace

class TestFixturesSqlRelations : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    if (const std::string why = fixtures::absence({"sql_relations"}); !why.empty()) QSKIP(why.c_str());
    if (fixtures::spiderFile("tables.json").empty()) QSKIP(fixtures::skipped("no Spider data").c_str());
  }

  void matrices() {
    for (golden::Case golden : golden::casesOf("sql_relations")) {
      if (!golden.json.at("expected").contains("types_33_present")) continue;  // the other cases are of links
      golden.json["tolerance"] = {{"abs", 0}, {"rel", 0}};
      const Json& expected = golden.json.at("expected");
      const auto lines = fixtures::readJsonLines(golden.path + ".jsonl.gz");
      QCOMPARE(lines.size(), expected.at("lines").get<std::size_t>());
      std::set<int> seen33, seen51;
      for (std::size_t i = 0; i < lines.size(); ++i) {
        const Json& line = lines[i];
        const SpiderSchema schema =
            line.contains("schema")
                ? spiderSchemaFromJson(line.at("schema"), "made").value()
                : *findSchema(fixtures::spiderSchemas(), line.at("db").get<std::string>());
        const RelationGraph items = graphOf(schemaItems(schema)), tables = graphOf(schema);
        const auto ids33 = matrix(items, RelationSet::DtFixup, dtFixupLinks(line, items));
        const auto ids51 = matrix(tables, RelationSet::RatSql, ratSqlLinks(line, tables));
        for (const auto& [ids, kind] : {std::pair{&ids33, "33."}, std::pair{&ids51, "51."}}) {
          const std::string key = "output.relations_" + std::string(kind) + std::to_string(i);
          const std::string wrong = golden.differs(*ids, key);
          QVERIFY2(wrong.empty(), wrong.c_str());
        }
        seen33.insert(ids33.begin(), ids33.end());
        seen51.insert(ids51.begin(), ids51.end());
      }
      QCOMPARE(int(seen33.size()), expected.at("types_33_present").get<int>());
      QCOMPARE(int(seen51.size()), expected.at("types_51_present").get<int>());
      for (const Json& never : expected.at("types_51_never")) QVERIFY(!seen51.contains(never.get<int>()));
    }
  }

  void cleanupTestCase() {
    if (fixtures::cases("sql_relations").empty() || fixtures::spiderFile("tables.json").empty()) return;
    const std::string left = fixtures::unreadArrays("sql_relations");
    QVERIFY2(left.empty(), left.c_str());
  }
};

QTEST_APPLESS_MAIN(TestFixturesSqlRelations)
#include "tst_fixtures_sql_relations.moc"
