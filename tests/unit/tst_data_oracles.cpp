// SPDX-License-Identifier: Apache-2.0
// Batches by tokens and BLEU by hand (docs/translation.md §3, §5).
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/text/text_list.h"
#include "core/tasks/made_sentences.h"
#include "core/tasks/nmt/nmt_options.h"
#include "core/tasks/nmt/token_batching.h"
#include "core/tasks/task.h"
#include "core/text/bleu.h"
#include "core/text/moses_13a_tokenizer.h"

using namespace fathom;

namespace {

std::vector<std::size_t> sizesOf(const std::vector<std::int32_t>& lengths, const TokenBatching& options) {
  std::vector<std::int64_t> order(lengths.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::size_t> sizes;
  for (const auto& batch : planBatches(lengths, lengths, order, options).batches)
    sizes.push_back(batch.size());
  return sizes;
}

double bleu(const char* hypothesis, const char* reference, BleuOptions::Smoothing smoothing) {
  BleuOptions options;
  options.smoothing = smoothing;
  const std::vector<std::string> own = {hypothesis}, gold = {reference};
  return corpusBleu(own, gold, options).value().score;
}

}  // namespace

class DataOraclesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void oracle18MaxTokens() {
    using Sizes = std::vector<std::size_t>;
    const std::vector<std::int32_t> equal(20, 10);
    // Twelve of ten fit 120 tokens; cut to 8, the other four open the next batch, and the last is not cut.
    QCOMPARE(sizesOf(equal, {.maxTokens = 120}), (Sizes{8, 12}));
    QCOMPARE(sizesOf(equal, {.maxTokens = 120, .multiple = 1}), (Sizes{12, 8}));
    QCOMPARE(sizesOf(equal, {.maxTokens = 70}), (Sizes{7, 7, 6}));  // below the multiple nothing is cut
    QCOMPARE(sizesOf(equal, {.maxTokens = 1000, .maxSentences = 5}), (Sizes{5, 5, 5, 5}));
    // Padding counts: the longest decides. 3 x 20 = 60, a fourth would be 80.
    QCOMPARE(sizesOf({5, 5, 20, 20, 20}, {.maxTokens = 60}), (Sizes{3, 2}));
    std::vector<std::int64_t> order = {0, 1, 2};
    const std::vector<std::int32_t> source = {4, 2000, 6}, target = {4, 5, 6};
    const BatchPlan plan = planBatches(source, target, order, {.maxTokens = 100});
    QCOMPARE(plan.dropped, std::vector<std::int64_t>{1});
    QCOMPARE(plan.batches, (std::vector<std::vector<std::int64_t>>{{2, 0}}));  // source length descending
  }

  void oracle18BatchesStayTheSame() {
    QTemporaryDir folder;
    const std::string place = folder.path().toStdString();
    writeMadeSentences(place, 1, {200, 20, 20}).value();
    OptionValues options(OptionSchema(nmtOptionFields(), nmtOptionRules()));
    for (const std::string& one :
         {"data.train=" + place + "/train.tsv", "data.validation=" + place + "/validation.tsv",
          "data.test=" + place + "/test.tsv", std::string("data.vocabulary.size=120"),
          std::string("batch.max_tokens=256")})
      options.setText(one).value();
    const auto task = findTask("nmt")->create(options, {}).value();
    const auto first = task->epochOrder(1, 0), second = task->epochOrder(1, 1);
    QVERIFY(first.size() > 4 && first != second && first == task->epochOrder(1, 0));
    auto sorted = second;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < sorted.size(); ++i) QCOMPARE(sorted[i], static_cast<std::int64_t>(i));
    for (const std::int64_t batch : {first.front(), second.front()})
      QVERIFY(task->makeBatch(DataSplit::Train, batch).examples ==
              task->makeBatch(DataSplit::Train, batch).examples);
  }

  void oracle19Bleu() {
    // 5/6, 4/5, 3/4, 2/3 and six words for seven.
    const double expected = 100 * std::exp(1 - 7.0 / 6) * std::pow(1 / 3.0, .25);
    const std::vector<std::string> own = {"a b c d e f"}, gold = {"a b c d e g h"};
    QVERIFY(std::abs(tokenisedBleu(own, gold).value().score - expected) < 1e-9);
    QVERIFY(std::abs(bleu("a b c d e f", "a b c d e g h", BleuOptions::Smoothing::None) - expected) < 1e-9);
    // No four words in a row: 0 by the papers' scorer, 100/(2^1 * 3) for that order by exponential smoothing.
    const char *cat = "the cat sat on the mat", *mat = "the cat is on the mat";
    QCOMPARE(tokenisedBleu(std::vector<std::string>{cat}, std::vector<std::string>{mat}).value().score, 0.0);
    const double smoothed = std::pow(500 / 6.0 * 60 * 25 * (100 / 6.0), .25);
    QVERIFY(std::abs(bleu(cat, mat, BleuOptions::Smoothing::Exp) - smoothed) < 1e-9);
    // Two orders without a match: 1/2, then 1/4 of a hundredth of their totals.
    const double twice = std::pow(100 * 2 / 4.0 * 100 / 3 * (100 / (2.0 * 2)) * (100 / (4.0 * 1)), .25);
    QVERIFY(std::abs(bleu("a b x y", "a b c d", BleuOptions::Smoothing::Exp) - twice) < 1e-9);
  }

  void oracle19Tokens() {
    Moses13aTokenizer tokenizer;
    QCOMPARE(joined(tokenizer.tokens("it's 3.5-fold, U.S.-based"), " "),
             std::string("it's 3.5 - fold , U . S . -based"));
    QCOMPARE(joined(tokenizer.tokens("<skipped>a&quot;b/c"), " "), std::string("a \" b / c"));
  }
};

QTEST_APPLESS_MAIN(DataOraclesTest)
#include "tst_data_oracles.moc"
