// SPDX-License-Identifier: Apache-2.0
// Golden cases of the search over the grammar: area "grammar" of the fixtures.
#include <QTest>

#include "core/spider/grammar/grammar_search.h"
#include "support_fixtures.h"

using namespace fathom;

namespace {

std::uint64_t splitmix64(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

// The toy model the cases describe.
class ToyScorer {
 public:
  ToyScorer(std::int64_t example, int levels, int columns)
      : m_example(example), m_levels(levels), m_columns(columns) {}

  double logProb(const std::vector<GrammarAction>& actions, GrammarAction action) const {
    const std::uint64_t q = splitmix64(hash(actions) + static_cast<std::uint64_t>(action)) >> 52;
    double value = 0;
    if (m_levels > 0) {
      value = -(1.0 + static_cast<double>(q % static_cast<std::uint64_t>(m_levels))) / 4;
    } else {
      value = action == kReduce ? -(1.0 + static_cast<double>(q / 4)) / 1024
                                : -(1.0 + static_cast<double>(q)) / 1024;
    }
    const bool heavy = action == kRuleAnd || action == kRuleOr || action == kRuleIn || action == kRuleNotIn ||
                       (action >= kRuleNestedEqual && action <= kRuleNestedLessEqual) ||
                       action == kRuleIntersect || action == kRuleUnion || action == kRuleExcept;
    return value - (heavy ? 2 : 0);
  }

  std::vector<std::vector<double>> operator()(const std::vector<const GrammarHypothesis*>& live) const {
    std::vector<std::vector<double>> rows;
    for (const auto* hypothesis : live) {
      std::vector<double> row;
      for (int a = 0; a <= kReduce; ++a) row.push_back(logProb(hypothesis->actions, a));
      for (int c = 0; c < m_columns; ++c) row.push_back(logProb(hypothesis->actions, kSelectColumn + c));
      rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  std::uint64_t hash(const std::vector<GrammarAction>& actions) const {
    std::uint64_t h = 0xCBF29CE484222325ULL;
    const auto add = [&](std::int64_t number) {
      for (int byte = 0; byte < 4; ++byte) {  // four bytes, little endian
        h ^= static_cast<std::uint64_t>(number >> (8 * byte)) & 0xFF;
        h *= 0x100000001B3ULL;
      }
    };
    add(m_example);
    for (const auto action : actions) add(action);
    return h;
  }
  std::int64_t m_example;
  int m_levels, m_columns;
};

}  // namespace

class TestFixturesGrammar : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    if (const std::string why = fixtures::absence({"grammar"}); !why.empty()) QSKIP(why.c_str());
  }
  void grammarArea() {
    const auto cases = fixtures::cases("grammar");
    for (const auto& golden : cases) {
      const Json fixture = fixtures::readJson(golden.file(".json"));
      const Json& config = fixture["config"];
      const int columns = config["columns"].get<int>(), levels = config["levels"].get<int>();
      for (const Json& probe : config["model"]["probe"]) {
        const ToyScorer toy(probe["example"].get<std::int64_t>(), 0, columns);
        QCOMPARE(toy.logProb(probe["actions"].get<std::vector<GrammarAction>>(),
                             probe["action"].get<GrammarAction>()),
                 probe["log_prob_levels0"].get<double>());
      }
      GrammarSearchOptions options;
      options.beam = config["beam"].get<int>();
      options.maxSteps = config["max_steps"].get<int>();
      options.columnWeight = config["col_weight"].get<double>();
      for (const Json& expected : fixture["expected"]) {
        const auto result = searchGrammar(
            columns, ToyScorer(expected["example"].get<std::int64_t>(), levels, columns), options);
        QCOMPARE(static_cast<int>(result.steps.size()), expected["steps"].get<int>());
        for (std::size_t s = 0; s < result.steps.size(); ++s) {
          const Json& step = expected["candidates_live_completed_per_step"][s];
          QCOMPARE(result.steps[s].candidates, step[0].get<int>());
          QCOMPARE(result.steps[s].live, step[1].get<int>());
          QCOMPARE(result.steps[s].completed, step[2].get<int>());
        }
        QCOMPARE(result.completed.size(), expected["hypotheses"].size());
        for (std::size_t h = 0; h < result.completed.size(); ++h) {
          QCOMPARE(result.completed[h].actions,
                   expected["hypotheses"][h]["actions"].get<std::vector<GrammarAction>>());
          QCOMPARE(result.completed[h].score, expected["hypotheses"][h]["score"].get<double>());
          QVERIFY(treeFromActions(result.completed[h].actions, columns).ok());
        }
      }
    }
  }
};

QTEST_APPLESS_MAIN(TestFixturesGrammar)
#include "tst_fixtures_grammar.moc"
