// SPDX-License-Identifier: Apache-2.0
// Area attention_statistics: entropy, JSD, five numbers, violins, head order and colour classes. Oracle 20.
#include <QTest>
#include <limits>

#include "core/analysis/attention/attention_distribution.h"
#include "core/analysis/attention/attention_entropy.h"
#include "core/analysis/attention/attention_jsd.h"
#include "core/analysis/statistics/sample_distribution.h"
#include "tests/unit/support_golden_case.h"

using namespace fathom;
using golden::Case;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

#define QCOMPARE_TENSOR(one, actual, key)               \
  do {                                                  \
    const std::string why = (one).differs(actual, key); \
    QVERIFY2(why.empty(), why.c_str());                 \
  } while (false)

// [layers, heads, sentences, queries]: a value per real query token, NaN at padding.
template <typename Row>
std::vector<double> perToken(const std::vector<std::int64_t>& shape, const std::vector<double>& lengths,
                             Row row) {
  std::vector<double> result;
  for (std::int64_t lh = 0; lh < shape[0] * shape[1]; ++lh) {
    for (std::int64_t b = 0; b < shape[2]; ++b) {
      for (std::int64_t t = 0; t < shape[3]; ++t) {
        const bool real = static_cast<double>(t) < lengths[static_cast<std::size_t>(b)];
        result.push_back(real ? row((lh * shape[2] + b) * shape[3] + t) : kNaN);
      }
    }
  }
  return result;
}

std::vector<double> realOf(const std::vector<double>& values, std::size_t group, std::size_t size) {
  std::vector<double> result;
  for (std::size_t i = group * size; i < (group + 1) * size; ++i) {
    if (!std::isnan(values[i])) result.push_back(values[i]);
  }
  return result;
}

}  // namespace

class FixturesAttentionStatisticsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (const std::string why = fixtures::absence({"attention_statistics"}); !why.empty()) QSKIP(why.c_str());
    m_cases = golden::casesOf("attention_statistics");
  }

  void everyCase() {
    int taken = 0;
    for (const Case& one : m_cases) {
      if (one.has("entropy_nats") && one.has("P")) checkEntropy(one), ++taken;
      if (one.has("jsd_bits") && !one.has("rows")) checkJsd(one), ++taken;
      if (one.has("rows")) checkHand(one), ++taken;
    }
    QCOMPARE(taken, static_cast<int>(m_cases.size()));
  }

  // Last: every array of the cases was looked at by a test above.
  void everyArrayIsRead() {
    const std::string unread = fixtures::unreadArrays("attention_statistics");
    QVERIFY2(unread.empty(), unread.c_str());
  }

 private:
  void checkEntropy(const Case& one) {
    const auto p = one.tensor("P");
    const auto lengths = one.tensor("lengths");
    const auto shape = one.shape("P");
    const auto keys = static_cast<std::size_t>(shape[4]);
    const auto entropy = perToken(shape, lengths, [&](std::int64_t row) {
      return attentionEntropy(std::span(p).subspan(static_cast<std::size_t>(row) * keys, keys));
    });
    QCOMPARE_TENSOR(one, entropy, "entropy_nats");
    std::vector<double> bits, medians, means, variances, fives, classes, order, bandwidth, grid, density;
    for (const double h : entropy) bits.push_back(natsToBits(h));
    QCOMPARE_TENSOR(one, bits, "entropy_bits");
    const auto group = static_cast<std::size_t>(shape[2] * shape[3]);
    for (std::size_t lh = 0; lh < entropy.size() / group; ++lh) {
      const auto samples = realOf(entropy, lh, group);
      const SampleDistribution summary = summariseSamples(samples);
      medians.push_back(summary.median());
      means.push_back(summary.mean);
      variances.push_back(summary.variance);
      fives.insert(fives.end(), summary.fiveNumbers.begin(), summary.fiveNumbers.end());
      classes.push_back(colourClass(summary.median(), kLowEntropy, kHighEntropy));
      const ViolinShape violin = violinShape(samples);
      bandwidth.push_back(violin.bandwidth);
      grid.insert(grid.end(), violin.grid.begin(), violin.grid.end());
      density.insert(density.end(), violin.density.begin(), violin.density.end());
    }
    const auto heads = static_cast<std::size_t>(shape[1]);
    for (std::size_t layer = 0; layer < medians.size() / heads; ++layer) {
      for (const int head : orderByMedian(std::span(medians).subspan(layer * heads, heads)))
        order.push_back(head);
    }
    QCOMPARE_TENSOR(one, medians, "median_nats");
    QCOMPARE_TENSOR(one, means, "mean_nats");
    QCOMPARE_TENSOR(one, variances, "variance_nats");
    QCOMPARE_TENSOR(one, fives, "five_numbers_nats");
    QCOMPARE_TENSOR(one, classes, "colour_class");
    QCOMPARE_TENSOR(one, order, "head_order");
    if (!one.has("violin_grid")) return;
    QCOMPARE_TENSOR(one, bandwidth, "violin_bandwidth");
    QCOMPARE_TENSOR(one, grid, "violin_grid");
    QCOMPARE_TENSOR(one, density, "violin_density");
  }

  void checkJsd(const Case& one) {
    Case source = one;  // the probabilities lie in the case that `input` names: "P of <case>"
    const std::string input = one.json.at("config").value("input", "");
    source.path = one.path.substr(0, one.path.rfind('/') + 1) + input.substr(input.rfind(' ') + 1);
    const auto p = source.tensor("P");
    const auto lengths = source.tensor("lengths");
    auto shape = source.shape("P");
    const auto keys = static_cast<std::size_t>(shape[4]);
    const std::int64_t perLayer = shape[1] * shape[2] * shape[3];
    --shape[0];
    const auto divergence = perToken(shape, lengths, [&](std::int64_t row) {
      const auto above = std::span(p).subspan(static_cast<std::size_t>(row + perLayer) * keys, keys);
      return attentionJsd(above, std::span(p).subspan(static_cast<std::size_t>(row) * keys, keys));
    });
    QCOMPARE_TENSOR(one, divergence, "jsd_bits");
    std::vector<double> medians, fives, classes;
    const auto group = static_cast<std::size_t>(shape[2] * shape[3]);
    for (std::size_t lh = 0; lh < divergence.size() / group; ++lh) {
      const SampleDistribution summary = summariseSamples(realOf(divergence, lh, group));
      medians.push_back(summary.median());
      fives.insert(fives.end(), summary.fiveNumbers.begin(), summary.fiveNumbers.end());
      classes.push_back(colourClass(summary.median(), kLowDivergence, kHighDivergence));
    }
    QCOMPARE_TENSOR(one, medians, "median");
    QCOMPARE_TENSOR(one, fives, "five_numbers");
    QCOMPARE_TENSOR(one, classes, "colour_class");
  }

  void checkHand(const Case& one) {
    const auto rows = one.tensor("rows");
    const auto shape = one.shape("rows");
    const auto keys = static_cast<std::size_t>(shape[1]);
    const auto row = [&](std::int64_t i) {
      return std::span(rows).subspan(static_cast<std::size_t>(i) * keys, keys);
    };
    std::vector<double> entropy, divergence, classes, jsdClasses;
    for (std::int64_t i = 0; i < shape[0]; ++i) {
      entropy.push_back(attentionEntropy(row(i)));
      for (std::int64_t j = 0; j < shape[0]; ++j) divergence.push_back(attentionJsd(row(i), row(j)));
    }
    QCOMPARE_TENSOR(one, entropy, "entropy_nats");
    QCOMPARE_TENSOR(one, divergence, "jsd_bits");
    for (const double m : one.tensor("entropy_medians"))
      classes.push_back(colourClass(m, kLowEntropy, kHighEntropy));
    for (const double m : one.tensor("jsd_medians"))
      jsdClasses.push_back(colourClass(m, kLowDivergence, kHighDivergence));
    QCOMPARE_TENSOR(one, classes, "entropy_classes");
    QCOMPARE_TENSOR(one, jsdClasses, "jsd_classes");
  }

  std::vector<Case> m_cases;
};

QTEST_APPLESS_MAIN(FixturesAttentionStatisticsTest)
#include "tst_fixtures_attention_statistics.moc"
