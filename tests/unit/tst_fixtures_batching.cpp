// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <algorithm>

#include "core/base/numbers/random_stream.h"
#include "core/tasks/nmt/token_batching.h"
#include "support_fixtures.h"

using namespace fathom;

namespace {

using Indices = std::vector<std::int64_t>;
using Lengths = std::vector<std::int32_t>;

struct Costs {
  std::int64_t padded = 0, target = 0;
};

Costs costsOf(const Indices& batch, const Lengths& source, const Lengths& target) {
  Costs costs;
  std::int64_t width = 0;
  for (const std::int64_t pair : batch) {
    const auto i = static_cast<std::size_t>(pair);
    width = std::max<std::int64_t>(width, std::max(source[i], target[i]));
    costs.target += target[i];
  }
  costs.padded = width * static_cast<std::int64_t>(batch.size());
  return costs;
}

}  // namespace

class BatchingFixturesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (const std::string why = fixtures::absence({"batching"}); !why.empty()) QSKIP(why.c_str());
  }
  void everyCase() {
    const auto cases = fixtures::cases("batching");
    for (const auto& one : cases) {
      const Json json = fixtures::readJson(one.file(".json"));
      const Json& config = json.at("config");
      const Json& expected = json.at("expected");
      TokenBatching options;
      options.maxTokens = config.at("max_tokens").get<std::int64_t>();
      options.maxSentences = config.at("max_sentences").get<std::int64_t>();
      options.multiple = config.at("multiple").get<std::int64_t>();
      options.maxLength = config.at("max_length").get<std::int64_t>();
      const auto source = expected.at("src_length_incl_eos").get<Lengths>();
      const auto target = expected.at("tgt_length_incl_eos").get<Lengths>();
      const BatchPlan plan = planBatches(source, target, expected.at("permutation").get<Indices>(), options);
      QCOMPARE(plan.batches,
               expected.at("batches_rows_sorted_by_source_descending").get<std::vector<Indices>>());
      QCOMPARE(plan.overLimit, expected.at("batches_over_max_tokens").get<Indices>());
      Indices dropped = plan.dropped, expectedDropped = expected.at("dropped").get<Indices>();
      std::sort(dropped.begin(), dropped.end());
      std::sort(expectedDropped.begin(), expectedDropped.end());
      QCOMPARE(dropped, expectedDropped);
      for (std::size_t b = 0; b < plan.batches.size(); ++b) {
        const Costs costs = costsOf(plan.batches[b], source, target);
        QCOMPARE(costs.padded, expected.at("padded_tokens")[b].get<std::int64_t>());
        QCOMPARE(costs.target, expected.at("target_tokens")[b].get<std::int64_t>());
      }
    }
  }

  // The strict variant never exceeds the limit, keeps every pair exactly once and the order of the rule.
  void strictStaysBelowTheLimit() {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      RandomStream random(seed);
      Lengths source, target;
      for (int i = 0; i < 300; ++i) {
        source.push_back(static_cast<std::int32_t>(1 + random.below(random.below(10) == 0 ? 200 : 12)));
        target.push_back(static_cast<std::int32_t>(1 + random.below(random.below(10) == 0 ? 200 : 12)));
      }
      TokenBatching options;
      options.maxTokens = 64 + static_cast<std::int64_t>(random.below(200));
      options.maxSentences = static_cast<std::int64_t>(random.below(2) * 20);
      options.strictMaxTokens = true;
      const BatchPlan plan = planBatches(source, target, random.permutation(300), options);
      QVERIFY(plan.overLimit.empty());
      Indices seen = plan.dropped;
      for (const Indices& batch : plan.batches) {
        QVERIFY(!batch.empty());
        QVERIFY(costsOf(batch, source, target).padded <= options.maxTokens);
        if (options.maxSentences > 0) QVERIFY(batch.size() <= 20);
        seen.insert(seen.end(), batch.begin(), batch.end());
      }
      std::sort(seen.begin(), seen.end());
      QCOMPARE(seen.size(), std::size_t{300});
      for (std::size_t i = 0; i < seen.size(); ++i) QCOMPARE(seen[i], static_cast<std::int64_t>(i));
      for (const std::int64_t pair : plan.dropped) {
        const auto i = static_cast<std::size_t>(pair);
        QVERIFY(std::max(source[i], target[i]) > options.maxTokens);
      }
    }
  }
};

QTEST_APPLESS_MAIN(BatchingFixturesTest)
#include "tst_fixtures_batching.moc"
