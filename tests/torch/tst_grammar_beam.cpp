// SPDX-License-Identifier: Apache-2.0
// The batched search over the grammar against the plain one, on real schemas with random models.
#include <QTest>
#include <cmath>
#include <functional>

#include "core/base/errors/error.h"
#include "core/base/threads/stop_token.h"
#include "core/decode/grammar_beam.h"
#include "core/decode/plain_grammar_scorer.h"
#include "tests/torch/support_grammar_beam.h"

using namespace fathom;
using namespace fathom::fixtures;

class TestGrammarBeam : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void equalsThePlainSearch_data() {
    QTest::addColumn<int>("seed");
    QTest::addColumn<int>("beam");
    QTest::newRow("beam 5") << 1 << 5;
    QTest::newRow("beam 3") << 2 << 3;
    QTest::newRow("greedy") << 1 << 1;
  }

  void equalsThePlainSearch() {
    QFETCH(int, seed);
    QFETCH(int, beam);
    const std::vector<SearchedSchema> examples = devExamples(40);
    if (examples.empty()) QSKIP("no Spider data");
    const std::string wrong =
        searchDifference(static_cast<std::uint64_t>(seed), examples, {.beam = beam, .maxSteps = 60}, 16);
    QVERIFY2(wrong.empty(), wrong.c_str());
  }

  // Beam 1 takes the best valid action of every step.
  void greedy() {
    const SearchedSchema schema{9, 7};
    RandomDecoder one(4, searchedDecoder());
    const DecoderMemory memory = searchedMemory(one.decoder, {schema}, 4);
    const GrammarSearchOptions options{.beam = 1, .maxSteps = 40};
    const GrammarSearchResult result = searchGrammarBatch(one.decoder, memory, options).front();
    PlainGrammarScorer scorer(one.decoder, memory);
    GrammarHypothesis greedy;
    while (!greedy.state.complete() && greedy.state.steps() < options.maxSteps) {
      const std::vector<double> scores = scorer({&greedy}).front();
      GrammarAction best = -1;
      double bestScore = 0;
      for (const GrammarAction action : greedy.state.validActions(schema.columns)) {
        const bool column = action >= kSelectColumn;
        const double score = scores[column ? kRuleOutputs + static_cast<std::size_t>(action - kSelectColumn)
                                           : static_cast<std::size_t>(action)];
        if (best < 0 || score > bestScore) {
          best = action;
          bestScore = score;
        }
      }
      greedy.state.apply(best);
      greedy.actions.push_back(best);
      greedy.logProbabilities.push_back(bestScore);
    }
    QCOMPARE(result.completed.empty(), !greedy.state.complete());
    if (greedy.state.complete()) QCOMPARE(result.completed.front().actions, greedy.actions);
  }

  // What never ends gives no hypothesis, whatever the others of the batch do.
  void nothingEndsInTime() {
    RandomDecoder one(6, searchedDecoder());
    const std::vector<SearchedSchema> schemas = {{5, 4}, {8, 9}, {6, 3}};
    const DecoderMemory memory = searchedMemory(one.decoder, schemas, 6);
    for (const GrammarSearchResult& result :
         searchGrammarBatch(one.decoder, memory, {.beam = 4, .maxSteps = 3})) {
      QVERIFY(result.completed.empty());
      QCOMPARE(result.steps.size(), std::size_t(3));
    }
    for (const GrammarSearchResult& result :
         searchGrammarBatch(one.decoder, memory, {.beam = 4, .maxSteps = 0}))
      QVERIFY(result.completed.empty() && result.steps.empty());
  }

  void stops() {
    RandomDecoder one(6, searchedDecoder());
    const DecoderMemory memory = searchedMemory(one.decoder, {{5, 4}}, 6);
    const StopToken stop;
    stop.requestStop();
    bool interrupted = false;
    try {
      searchGrammarBatch(one.decoder, memory, {}, stop);
    } catch (const Failure& failure) {
      interrupted = failure.error().kind == ErrorKind::Interrupted;
    }
    QVERIFY(interrupted);
  }
};

QTEST_APPLESS_MAIN(TestGrammarBeam)
#include "tst_grammar_beam.moc"
