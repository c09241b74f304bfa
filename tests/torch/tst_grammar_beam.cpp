// SPDX-License-Identifier: Apache-2.0
// The batched search over the grammar against the plain one, on real schemas with random models.
#include <ATen/CPUGeneratorImpl.h>

#include <QTest>
#include <cmath>
#include <functional>

#include "core/base/errors/error.h"
#include "core/base/threads/stop_token.h"
#include "core/decode/grammar_beam.h"
#include "core/decode/plain_grammar_scorer.h"
#include "core/nn/sql_sp/searched_rows.h"
#include "tests/all_tests.h"
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
    std::vector<SearchedSchema> examples = devExamples(40);
    if (examples.empty()) QSKIP("no Spider data");
    if (!test::allTests()) examples.resize(20);
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

  // In single precision hypotheses look at their own example only: what the padded products of the batch
  // give.
  void rowsOfASearchAreThoseOfTheBatch() {
    constexpr std::int64_t kHeads = 2, kLength = 11, kColumns = 9, kWidth = 16;
    const auto numbers = [](std::vector<std::int64_t> shape, std::uint64_t seed) {
      return at::empty(shape).normal_(0, 1, at::make_generator<at::CPUGeneratorImpl>(seed));
    };
    AttendedMemory memory{
        numbers({3, kHeads, kLength, kWidth}, 1), numbers({3, kHeads, kLength, kWidth}, 2), {}};
    const torch::Tensor pointers = numbers({3, kColumns, kWidth}, 3);
    const torch::Tensor query = numbers({5, kHeads * kWidth}, 4), vectors = numbers({5, kWidth}, 5);
    const torch::Tensor slots = at::tensor({0, 0, 1, 2, 2}, torch::TensorOptions(torch::kInt64));
    for (const bool padded : {false, true}) {
      if (padded)
        memory.blocked = at::arange(kLength).view({1, 1, -1}).ge(at::tensor({11, 8, 1}).view({3, 1, 1}));
      if (!takesSearchedRows(query, memory, pointers)) return;  // a processor without AVX2
      const torch::Tensor wide = at::full({5, 3 + kHeads * kWidth}, 7.0f);
      attendRows(query, slots, memory, wide.narrow(1, 3, kHeads * kWidth));
      QVERIFY(wide.narrow(1, 0, 3).eq(7).all().item<bool>());
      for (std::int64_t r = 0; r < 5; ++r) {
        const torch::Tensor slot = slots.narrow(0, r, 1);
        const AttendedMemory own{memory.keys.index_select(0, slot), memory.values.index_select(0, slot),
                                 padded ? memory.blocked.index_select(0, slot) : torch::Tensor()};
        const torch::Tensor expected = attend(query.narrow(0, r, 1).unsqueeze(0), own).values.flatten();
        QVERIFY((wide[r].narrow(0, 3, kHeads * kWidth) - expected).abs().max().item<double>() < 1e-5);
      }
    }
    const torch::Tensor raw = pointRows(vectors, slots, pointers);
    const torch::Tensor expected = at::bmm(pointers.index_select(0, slots), vectors.unsqueeze(2)).squeeze(2);
    QVERIFY((raw - expected).abs().max().item<double>() < 1e-5);
    // What is no number stays one; widths that are no whole vectors take the plain products.
    query[1][0] = std::nan("");
    const torch::Tensor out = at::empty({5, kHeads * kWidth});
    attendRows(query, slots, memory, out);
    QVERIFY(out[1].isnan().any().item<bool>() && !out[0].isnan().any().item<bool>());
    QVERIFY(!takesSearchedRows(query, memory, pointers.narrow(2, 0, 5).contiguous()));
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
