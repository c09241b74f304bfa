// SPDX-License-Identifier: Apache-2.0
// Area beta_dependency, cases of folder layers: β of real stacks through core/probe. Oracle 21: the
// components sum to x_i.
#include <QTest>

#include "core/probe/attention_probe.h"
#include "core/probe/branch_probe.h"
#include "core/probe/gradient_probe.h"
#include "tests/torch/support_layer_case.h"

using namespace fathom;
using fixtures::TensorCase;

namespace {

// The stack's input made of the case's tokens, and the stack with its parameters.
TensorCase withStackInput(const fixtures::Case& place) {
  TensorCase one = fixtures::readCase(place);
  const std::string table = "parameter.embedding.token.weight";
  const double width = one.json.at("configuration").at("d_model").get<double>();
  const torch::Tensor embedded = at::embedding(one.at(table), one.at("input.source_tokens"));
  const torch::Tensor places =
      at::embedding(one.at("input.position_table"), one.at("input.source_positions"));
  one.tensors["input.x"] = embedded * std::sqrt(width) + places;
  one.tensors["input.mask"] = one.at("input.source_mask");
  one.tensors.erase(table);
  return one;
}

torch::Tensor asTensor(const std::vector<double>& values, std::int64_t rows) {
  return torch::tensor(values, torch::kFloat64).view({rows, -1});
}

}  // namespace

class FixturesBetaDependencyTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    for (const auto& place : fixtures::cases("beta_dependency")) {
      if (place.name.starts_with("layers/")) m_places.push_back(place);
    }
    if (m_places.empty()) QSKIP("the fixtures are not here");
  }

  void betaOfEveryScheme() {
    for (const auto& place : m_places) {
      const TensorCase one = withStackInput(place);
      const auto lone = fixtures::loneStack(one, "none");
      const auto recorded =
          recordBranches([&](const StepContext& context) { lone->forward(one, context); }, {});
      QCOMPARE(recorded.size(), std::size_t{1});
      const auto beta = betaOfStack(recorded[0], lone->stack->residual(), one.at("input.mask").ne(0));
      QVERIFY2(beta.ok(), place.name.c_str());
      QVERIFY2(beta->largestResidual < 1e-12, place.name.c_str());
      const double tolerance = one.json.at("tolerance").at("outputs");
      const std::int64_t n = beta->sublayers;
      for (const auto& [key, found] :
           {std::pair{"mean_token_std", &beta->meanTokenStd}, {"global_variance", &beta->globalStd}}) {
        const torch::Tensor expected =
            one.at(std::string("output.beta.") + key).slice(0, 1).slice(1, 0, n + 1);
        const std::string why = fixtures::layersDifference(asTensor(*found, n), expected, tolerance);
        QVERIFY2(why.empty(), (place.name + " " + key + ": " + why).c_str());
      }
      const torch::Tensor bias = one.at("output.beta.mean_token_std").slice(0, 1).select(1, n + 1);
      const std::string why =
          fixtures::layersDifference(torch::tensor(beta->biasShare, torch::kFloat64), bias, tolerance);
      QVERIFY2(why.empty(), (place.name + " bias: " + why).c_str());
    }
  }

  // Streamed statistics are those of the probabilities taken as a whole, however the examples are batched.
  void attentionStatisticsDoNotDependOnBatching() {
    const TensorCase one = withStackInput(m_places.front());
    const auto lone = fixtures::loneStack(one, "none");
    AttentionProbe together(one.at("input.x").size(1)), apart(one.at("input.x").size(1));
    const auto feed = [&](AttentionProbe& probe, const TensorCase& part) {
      probe.setMasks({part.at("input.mask").ne(0), {}});
      probe.run([&](const StepContext& context) { lone->forward(part, context); }, {});
    };
    feed(together, one);
    for (std::int64_t row = 0; row < one.at("input.x").size(0); ++row) {
      TensorCase part = one;
      part.tensors["input.x"] = one.at("input.x").slice(0, row, row + 1);
      part.tensors["input.mask"] = one.at("input.mask").slice(0, row, row + 1);
      feed(apart, part);
    }
    QCOMPARE(together.statistics().size(), std::size_t{1});
    const AttentionStatistics &a = together.statistics()[0], &b = apart.statistics()[0];
    const double tokens = one.at("input.mask").sum().item<double>();
    QCOMPARE(a.jsdBits.size() + 1, a.entropyNats.size());
    for (std::size_t layer = 0; layer < a.entropyNats.size(); ++layer) {
      for (std::size_t head = 0; head < a.entropyNats[layer].size(); ++head) {
        const SampleDistribution x = a.entropyNats[layer][head].summary(),
                                 y = b.entropyNats[layer][head].summary();
        QCOMPARE(static_cast<double>(x.count), tokens);
        QCOMPARE(y.count, x.count);
        for (std::size_t i = 0; i < 5; ++i) QVERIFY(std::abs(x.fiveNumbers[i] - y.fiveNumbers[i]) < 1e-12);
      }
    }
  }

  // The gradient with respect to a stream equals a central difference along a random direction of the loss.
  void gradientsOfSublayerOutputs() {
    const TensorCase one = withStackInput(m_places.front());
    const auto lone = fixtures::loneStack(one, "none");
    const auto gradients = probeGradients(
        [&](const StepContext& context) {
          return (lone->forward(one, context) - one.at("input.target")).square().sum() * 0.5;
        },
        {});
    QCOMPARE(gradients.size(), static_cast<std::size_t>(lone->stack->residual().sublayerCount()));
    // The last sub-layer's output of a Post-LN stack is the stack's output: its gradient is known in closed
    // form.
    const torch::Tensor expected = lone->forward(one, {}) - one.at("input.target");
    if (lone->stack->residual().topNorm() == nullptr) {
      QVERIFY(std::abs(gradients.back().norm - expected.norm().item<double>()) < 1e-9);
    }
    for (const Leaf& leaf : lone->store.leaves()) QVERIFY(!leaf.tensor.grad().defined());
  }

 private:
  std::vector<fixtures::Case> m_places;
};

QTEST_APPLESS_MAIN(FixturesBetaDependencyTest)
#include "tst_fixtures_beta_dependency.moc"
