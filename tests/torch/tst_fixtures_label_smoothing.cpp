// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <cmath>

#include "core/objectives/label_smoothed_cross_entropy.h"
#include "tests/torch/support_golden_tensors.h"
#include "tests/unit/support_fixtures.h"

using namespace fathom;
using namespace fathom::test;

// Golden values of the label-smoothed loss; the projection is the identity, so that the gradient of the
// hidden states is the gradient of the logits. `label_smoothing_dt_fixup` belongs to the SQL decoder's loss.
class TestFixturesLabelSmoothing : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (const std::string why = fixtures::absence({"label_smoothing"}); !why.empty()) QSKIP(why.c_str());
  }
  void golden_data();
  void golden();

  // Last: every array of the cases was looked at by a test above.
  void everyArrayIsRead() {
    const std::string unread = fixtures::unreadArrays(
        "label_smoothing", [](const Json& json) { return json.at("tensors").contains("logits"); });
    QVERIFY2(unread.empty(), unread.c_str());
  }

 private:
  std::vector<GoldenCase> m_cases;
};

void TestFixturesLabelSmoothing::golden_data() {
  QTest::addColumn<int>("index");
  QTest::addColumn<int>("chunkRows");
  for (GoldenCase& golden : goldenCases("label_smoothing")) {
    if (!golden.has("logits")) continue;
    for (const int rows : {1, 16, 1000}) {
      QTest::addRow("%s, chunks of %d elements", golden.name.c_str(), rows)
          << static_cast<int>(m_cases.size()) << rows;
    }
    m_cases.push_back(std::move(golden));
  }
}

void TestFixturesLabelSmoothing::golden() {
  QFETCH(const int, index);
  QFETCH(const int, chunkRows);
  const GoldenCase& golden = m_cases.at(static_cast<std::size_t>(index));
  const Json& config = golden.json.at("config");
  const bool main = golden.name.find("main") != std::string::npos;
  const LabelSmoothing smoothing{config.at("epsilon").get<double>(),
                                 main ? LabelSmoothingRule::ExcludeTarget : LabelSmoothingRule::Uniform};
  const std::int64_t pad = config.at("pad").get<std::int64_t>();
  const torch::Tensor logits = golden.tensor("logits");
  const std::int64_t vocabulary = logits.size(-1);
  torch::Tensor hidden = logits.reshape({-1, vocabulary}).clone().set_requires_grad(true);
  torch::Tensor weight = torch::eye(vocabulary, torch::kFloat64).set_requires_grad(true);
  const torch::Tensor target = golden.tensor("target").flatten().to(torch::kInt64);

  const SmoothedLoss loss = projectedSmoothedLoss(hidden, weight, target, pad, smoothing, chunkRows);
  loss.lossSum.backward();
  std::string message;
  const auto check = [&](const torch::Tensor& actual, const char* key) {
    if (!golden.has(key)) return true;
    const torch::Tensor expected = golden.tensor(key);
    return closeTo(actual.reshape(expected.sizes()), expected, golden.absolute(), golden.relative(),
                   &message);
  };
  QVERIFY2(check(loss.lossSum, "loss_sum"), message.c_str());
  QVERIFY2(check(loss.nllSum, "nll_sum"), message.c_str());
  const double units = target.ne(pad).sum().item<double>() * std::log(2.0);
  const double nllBits = loss.nllSum.item<double>() / units;
  QVERIFY2(check(torch::tensor({loss.lossSum.item<double>() / units, nllBits, std::exp2(nllBits)},
                               torch::kFloat64),
                 "reported"),
           message.c_str());
  QVERIFY2(check(hidden.grad(), "grad_logits"), message.c_str());
  QVERIFY2(hidden.grad().isfinite().all().item<bool>(), "gradients must be finite");

  const torch::NoGradGuard noGrad;
  torch::Tensor each = torch::zeros({hidden.size(0)}, torch::kFloat64), eachNll = each.clone();
  for (std::int64_t row = 0; row < hidden.size(0); ++row) {
    const SmoothedLoss one =
        projectedSmoothedLoss(hidden.narrow(0, row, 1), weight, target.narrow(0, row, 1), pad, smoothing);
    each[row] = one.lossSum;
    eachNll[row] = one.nllSum;
  }
  QVERIFY2(check(each, "token_loss"), message.c_str());
  QVERIFY2(check(eachNll, "token_nll"), message.c_str());
}

QTEST_APPLESS_MAIN(TestFixturesLabelSmoothing)
#include "tst_fixtures_label_smoothing.moc"
