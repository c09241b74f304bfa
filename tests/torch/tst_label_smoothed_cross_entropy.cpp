// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/objectives/label_smoothed_cross_entropy.h"

using namespace fathom;

class TestLabelSmoothedCrossEntropy : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void oracle16LabelSmoothing();
  void equalsThePlainFormula_data();
  void equalsThePlainFormula();
  void finiteDifferences();
  void nothingToLearnFrom();
};

namespace {

torch::Tensor randomTensor(torch::IntArrayRef shape, double scale = 1) {
  return torch::randn(shape, torch::kFloat64) * scale;
}

// The formula written down with all logits at once; what autograd makes of it is the reference.
torch::Tensor plainLoss(const torch::Tensor& hidden, const torch::Tensor& weight, const torch::Tensor& target,
                        std::int64_t pad, const LabelSmoothing& smoothing) {
  const torch::Tensor logp = hidden.mm(weight.t()).log_softmax(1);
  const double v = static_cast<double>(weight.size(0));
  const bool uniform = smoothing.rule == LabelSmoothingRule::Uniform;
  const double share = uniform ? smoothing.epsilon / v : smoothing.epsilon / (v - 1);
  const double own = uniform ? 1 - smoothing.epsilon : 1 - smoothing.epsilon - share;
  const torch::Tensor each = -own * logp.gather(1, target.unsqueeze(1)).squeeze(1) - share * logp.sum(1);
  return each.mul(target.ne(pad)).sum();
}

}  // namespace

// docs/translation.md §4: V = 4, p = (.7, .1, .1, .1), target 0, eps .1.
void TestLabelSmoothedCrossEntropy::oracle16LabelSmoothing() {
  const torch::Tensor hidden = torch::tensor({{0.7, 0.1, 0.1, 0.1}}, torch::kFloat64).log();
  const torch::Tensor weight = torch::eye(4, torch::kFloat64), target = torch::zeros({1}, torch::kInt64);
  const auto value = [&](LabelSmoothingRule rule) {
    return projectedSmoothedLoss(hidden, weight, target, -1, {0.1, rule}).lossSum.item<double>();
  };
  QVERIFY(std::abs(value(LabelSmoothingRule::Uniform) - .5026182) < 5e-8);
  QVERIFY(std::abs(value(LabelSmoothingRule::ExcludeTarget) - .5512660) < 5e-8);
}

void TestLabelSmoothedCrossEntropy::equalsThePlainFormula_data() {
  QTest::addColumn<double>("epsilon");
  QTest::addColumn<int>("rule");
  QTest::addColumn<int>("chunk");
  QTest::newRow("uniform, one chunk") << 0.1 << 0 << 100000;
  QTest::newRow("uniform, many chunks") << 0.1 << 0 << 20;
  QTest::newRow("exclude target, many chunks") << 0.3 << 1 << 20;
  QTest::newRow("no smoothing") << 0.0 << 0 << 0;
}

void TestLabelSmoothedCrossEntropy::equalsThePlainFormula() {
  QFETCH(const double, epsilon);
  QFETCH(const int, rule);
  QFETCH(const int, chunk);
  const LabelSmoothing smoothing{epsilon, static_cast<LabelSmoothingRule>(rule)};
  torch::Tensor hidden = randomTensor({70, 6}).set_requires_grad(true);
  torch::Tensor weight = randomTensor({11, 6}).set_requires_grad(true);
  const torch::Tensor target = torch::randint(0, 11, {70}, torch::kInt64);
  const torch::Tensor fused = projectedSmoothedLoss(hidden, weight, target, 1, smoothing, chunk).lossSum;
  const torch::Tensor plain = plainLoss(hidden, weight, target, 1, smoothing);
  QVERIFY(torch::allclose(fused, plain, 1e-12, 1e-12));
  (fused * 3).backward();
  const torch::Tensor hiddenGrad = hidden.grad().clone(), weightGrad = weight.grad().clone();
  hidden.mutable_grad().reset();
  weight.mutable_grad().reset();
  (plain * 3).backward();
  QVERIFY(torch::allclose(hiddenGrad, hidden.grad(), 1e-11, 1e-12));
  QVERIFY(torch::allclose(weightGrad, weight.grad(), 1e-11, 1e-12));
}

void TestLabelSmoothedCrossEntropy::finiteDifferences() {
  torch::Tensor hidden = randomTensor({5, 3}).set_requires_grad(true);
  torch::Tensor weight = randomTensor({7, 3}).set_requires_grad(true);
  const torch::Tensor target = torch::tensor({2, 1, 6, 0, 1}, torch::kInt64);
  const LabelSmoothing smoothing{0.2, LabelSmoothingRule::ExcludeTarget};
  const auto loss = [&] { return projectedSmoothedLoss(hidden, weight, target, 1, smoothing, 16).lossSum; };
  loss().backward();
  for (torch::Tensor tensor : {hidden, weight}) {
    const torch::Tensor gradient = tensor.grad().clone();
    const torch::NoGradGuard noGrad;
    double* values = tensor.data_ptr<double>();
    for (std::int64_t i = 0; i < tensor.numel(); ++i) {
      const double kept = values[i], step = 1e-6;
      values[i] = kept + step;
      const double above = loss().item<double>();
      values[i] = kept - step;
      const double below = loss().item<double>();
      values[i] = kept;
      QVERIFY(std::abs((above - below) / (2 * step) - gradient.flatten()[i].item<double>()) < 1e-7);
    }
  }
}

void TestLabelSmoothedCrossEntropy::nothingToLearnFrom() {
  torch::Tensor hidden = randomTensor({3, 4}).set_requires_grad(true);
  torch::Tensor weight = randomTensor({5, 4}).set_requires_grad(true);
  const SmoothedLoss loss =
      projectedSmoothedLoss(hidden, weight, torch::ones({3}, torch::kInt64), 1, {.epsilon = 0.1});
  QCOMPARE(loss.lossSum.item<double>(), 0.0);
  loss.lossSum.backward();
  QCOMPARE(weight.grad().abs().max().item<double>(), 0.0);
}

QTEST_APPLESS_MAIN(TestLabelSmoothedCrossEntropy)
#include "tst_label_smoothed_cross_entropy.moc"
