// SPDX-License-Identifier: Apache-2.0
// The batched search over the grammar: hypotheses, their order, scores, texts and which of them is valid; all
// examples of a case at once, each alone, and against the plain search.
#include <QTest>
#include <cmath>
#include <functional>

#include "core/decode/grammar_beam.h"
#include "core/decode/plain_grammar_scorer.h"
#include "core/spider/grammar/sql_tree.h"
#include "core/spider/spider_schema.h"
#include "tests/torch/support_sql_case.h"

using namespace fathom;
using namespace fathom::fixtures;

namespace {

constexpr double kScores = 1e-9;

bool near(double a, double b) {
  return std::abs(a - b) <= kScores * std::max(1.0, std::abs(b));
}

// The cases print blanks around every token and functions in capitals.
std::string plain(std::string sql) {
  std::erase(sql, ' ');
  return asciiLower(sql);
}

// A decoder and the memories of a case's examples.
struct BeamCase {
  ParameterStore store{torch::TensorOptions(torch::kFloat64)};
  GrammarDecoder decoder;
  std::vector<torch::Tensor> memory, columns;
  std::vector<SpiderSchema> schemas;

  explicit BeamCase(const TensorCase& one) : decoder(store, sqlDecoderSetup(one.json.at("configuration"))) {
    loadSqlParameters(one, store);
    for (const Json& schema : one.json.at("configuration").at("schemas")) {
      const std::string index = std::to_string(memory.size());
      memory.push_back(one.at("input.memory." + index));
      columns.push_back(one.at("input.columns." + index));
      Json table = schema;
      table["db_id"] = "example" + index;
      table["table_names"] = schema.at("table_names_original");
      table["column_names"] = schema.at("column_names_original");
      schemas.push_back(spiderSchemaFromJson(table, one.name).value());
    }
  }

  DecoderMemory prepared(const std::vector<std::size_t>& examples) const {
    std::vector<torch::Tensor> rows, columnRows;
    std::vector<std::int64_t> lengths, counts;
    for (const std::size_t e : examples) {
      rows.push_back(memory[e]);
      columnRows.push_back(columns[e]);
      lengths.push_back(memory[e].size(0));
      counts.push_back(columns[e].size(0));
    }
    const at::NoGradGuard noGrad;
    return decoder.prepare(at::cat(rows), packingOf(lengths, torch::kCPU), at::cat(columnRows), counts);
  }
};

}  // namespace

class TestFixturesSqlSpBeam : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (const std::string why = absence({"sql_sp_beam"}); !why.empty()) QSKIP(why.c_str());
  }

  void beams_data() {
    QTest::addColumn<int>("index");
    const auto all = cases("sql_sp_beam");
    for (std::size_t i = 0; i < all.size(); ++i) QTest::newRow(all[i].name.c_str()) << static_cast<int>(i);
  }

  void beams() {
    QFETCH(int, index);
    const TensorCase one = readCase(cases("sql_sp_beam")[static_cast<std::size_t>(index)]);
    const BeamCase beam(one);
    std::vector<std::size_t> all;
    for (std::size_t e = 0; e < beam.memory.size(); ++e) all.push_back(e);
    for (const Json& expected : one.json.at("expected")) {
      const GrammarSearchOptions options{expected.at("beam").get<int>(), expected.at("max_steps").get<int>(),
                                         expected.at("column_weight").get<double>()};
      const auto example = expected.at("example").get<std::size_t>();
      const SpiderSchema& schema = beam.schemas[example];
      compare(searchGrammarBatch(beam.decoder, beam.prepared(all), options)[example], expected, schema);
      const DecoderMemory alone = beam.prepared({example});
      compare(searchGrammarBatch(beam.decoder, alone, options).front(), expected, schema);
      PlainGrammarScorer scorer(beam.decoder, alone);
      compare(searchGrammar(static_cast<int>(alone.columns.front()), std::ref(scorer), options), expected,
              schema);
    }
  }

  // Last: every array of the cases was looked at by a test above.
  void everyArrayIsRead() {
    const std::string unread = unreadArrays("sql_sp_beam");
    QVERIFY2(unread.empty(), unread.c_str());
  }

 private:
  static void compare(const GrammarSearchResult& result, const Json& expected, const SpiderSchema& schema) {
    QCOMPARE(static_cast<int>(result.steps.size()), expected.at("steps").get<int>());
    const Json& hypotheses = expected.at("hypotheses");
    QCOMPARE(result.completed.size(), hypotheses.size());
    std::string filtered = "SELECT *", first = "SELECT *";
    Json filteredAt;
    for (std::size_t h = 0; h < result.completed.size(); ++h) {
      const GrammarHypothesis& own = result.completed[h];
      QCOMPARE(own.actions, hypotheses[h].at("actions").get<std::vector<GrammarAction>>());
      QVERIFY(near(own.score, hypotheses[h].at("score").get<double>()));
      double sum = 0;
      for (const double logP : own.logProbabilities) sum += logP;
      QVERIFY(near(sum, hypotheses[h].at("log_probability").get<double>()));
      const GrammarTree tree = treeFromActions(own.actions, expandedCount(schema)).value();
      const bool valid = treeIsValid(tree, schema);
      QCOMPARE(valid, hypotheses[h].at("valid").get<bool>());
      const std::string sql = sqlText(queryFromTree(tree, schema).value(), schema, SqlTextStyle::Released);
      QVERIFY2(plain(sql) == plain(hypotheses[h].at("sql").get<std::string>()), sql.c_str());
      if (h == 0) first = sql;
      if (valid && filteredAt.is_null()) {
        filtered = sql;
        filteredAt = h;
      }
    }
    QCOMPARE(plain(first), plain(expected.at("unfiltered").get<std::string>()));
    QCOMPARE(plain(filtered), plain(expected.at("filtered").get<std::string>()));
    QVERIFY(filteredAt == expected.at("filtered_index"));
  }
};

QTEST_APPLESS_MAIN(TestFixturesSqlSpBeam)
#include "tst_fixtures_sql_sp_beam.moc"
