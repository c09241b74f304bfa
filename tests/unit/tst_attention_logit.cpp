// SPDX-License-Identifier: Apache-2.0
// Largest attention logits: the definition, and what figures over training follow of a stored result.
#include <QTest>
#include <cmath>
#include <limits>
#include <vector>

#include "core/analysis/attention/attention_distribution.h"
#include "core/analysis/attention/attention_logit.h"
#include "core/analysis/training/over_training.h"

using namespace fathom;

class AttentionLogitTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void hiddenKeysDoNotCount() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const std::vector<double> scores = {-3, -kInfinity, -2.5, -1e9, std::nan("")};
    QCOMPARE(largestLogit(std::span<const double>(scores)), -2.5);
    const std::vector<double> hidden = {-kInfinity, -1e9, -3.4e38};
    QVERIFY(std::isnan(largestLogit(std::span<const double>(hidden))));
    const std::vector<double> broken(9, std::nan(""));
    QVERIFY(std::isnan(largestLogit(std::span<const double>(broken))));
    QVERIFY(std::isnan(largestLogit(std::span<const float>())));
  }

  // Every place of a row is looked at, whatever its length.
  void everyPlaceCounts() {
    for (std::size_t length = 1; length < 40; ++length)
      for (std::size_t at = 0; at < length; ++at) {
        std::vector<float> row(length, -1);
        row[at] = 12.5f;
        QCOMPARE(largestLogit(std::span<const float>(row)), 12.5f);
      }
  }

  // One head is enough to break a training: the course of a layer is the largest of its heads.
  void courseOfALayerIsItsLargest() {
    std::vector<std::vector<ValueHistogram>> heads(2, std::vector<ValueHistogram>(2, logitHistogram()));
    for (int layer = 0; layer < 2; ++layer)
      for (int head = 0; head < 2; ++head)
        for (int query = 0; query < 5; ++query)
          heads[std::size_t(layer)][std::size_t(head)].add(10 * layer + head + 0.1 * query);
    AttentionDistributions stored{"attention_logit", "logit", 1, 5, {}};
    stored.attentions.push_back(distributionOf("decoder", "self_attention", 0, heads));
    const auto courses = overTraining("attention_logit", {{40, distributionsToJson(stored)}}, false).value();
    QCOMPARE(courses.size(), std::size_t{2});
    QVERIFY(std::abs(courses[0].values.at(0) - 1.4) < 1e-12);
    QVERIFY(std::abs(courses[1].values.at(0) - 11.4) < 1e-12);
  }
};

QTEST_APPLESS_MAIN(AttentionLogitTest)
#include "tst_attention_logit.moc"
