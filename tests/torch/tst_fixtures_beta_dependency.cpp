// SPDX-License-Identifier: Apache-2.0
// Area beta_dependency, cases of folder layers: β of real stacks through core/probe. Oracle 21: the
// components sum to x_i.
#include <QTest>

#include "core/probe/attention_probe.h"
#include "core/probe/branch_probe.h"
#include "core/probe/gradient_probe.h"
#include "tests/torch/support_layer_checks.h"

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

// The first `count` sub-layers of a recorded stack: what x_count is made of.
StackBranches upTo(StackBranches recorded, std::size_t count) {
  recorded.sites.resize(count);
  recorded.branches.resize(count);
  return recorded;
}

// [columns, B, T, d] as the fixtures have it: c_0 … c_i and, last, the bias; padded tokens from `expected`.
torch::Tensor stacked(const std::vector<double>& parts, const std::vector<double>& bias,
                      const torch::Tensor& expected, const torch::Tensor& real) {
  std::vector<double> all = parts;
  all.insert(all.end(), bias.begin(), bias.end());
  const torch::Tensor own = torch::tensor(all, torch::kFloat64).view(expected.sizes());
  return at::where(real.unsqueeze(0).unsqueeze(-1), own, expected);
}

std::vector<double> flat(const torch::Tensor& tensor) {
  const torch::Tensor whole = tensor.detach().contiguous();
  return {whole.const_data_ptr<double>(), whole.const_data_ptr<double>() + whole.numel()};
}

// The cases of given branches have a "config" instead; tests/unit takes them.
bool stackCase(const Json& json) {
  return json.contains("configuration");
}

}  // namespace

class FixturesBetaDependencyTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    for (const auto& place : fixtures::cases("beta_dependency")) {
      if (stackCase(fixtures::readJson(place.file(".json")))) m_places.push_back(place);
    }
    if (m_places.empty()) QSKIP(fixtures::skipped("no case of beta_dependency with a stack").c_str());
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

  // c_0 … c_i of every x_i, and through the top norm where there is one.
  void componentsOfEveryStream() {
    for (const auto& place : m_places) {
      const TensorCase one = withStackInput(place);
      const auto lone = fixtures::loneStack(one, "none");
      const auto recorded =
          recordBranches([&](const StepContext& context) { lone->forward(one, context); }, {}).at(0);
      const torch::Tensor real = one.at("input.mask").ne(0);
      const double tolerance = one.json.at("tolerance").at("outputs").get<double>();
      for (std::size_t i = 0; i <= recorded.branches.size(); ++i) {
        const std::string key = "output.components." + std::to_string(i);
        const torch::Tensor expected = one.at(key);
        DependencyComponents found{flat(recorded.input), flat(at::zeros_like(recorded.input)), {}};
        if (i > 0) betaOfStack(upTo(recorded, i), lone->stack->residual(), real, &found).value();
        const std::string why =
            fixtures::layersDifference(stacked(found.parts, found.bias, expected, real), expected, tolerance);
        QVERIFY2(why.empty(), (place.name + " " + key + ": " + why).c_str());
      }
      if (lone->stack->residual().topNorm() != nullptr) checkTopNorm(one, recorded, tolerance);
    }
  }

  void outputAndGradients() {
    for (const auto& place : m_places) {
      TensorCase one = fixtures::readCase(place);
      const std::string name = "embedding.token.weight";
      const torch::Tensor table = one.at("parameter." + name).clone().requires_grad_();
      const double width = one.json.at("configuration").at("d_model").get<double>();
      const std::int64_t pad = one.json.at("configuration").at("pad").get<std::int64_t>();
      one.tensors["input.x"] =
          at::embedding(table, one.at("input.source_tokens"), pad) * std::sqrt(width) +
          at::embedding(one.at("input.position_table"), one.at("input.source_positions"));
      one.tensors["input.mask"] = one.at("input.source_mask");
      one.tensors.erase("parameter." + name);
      const auto lone = fixtures::loneStack(one, "none");
      const torch::Tensor output = lone->forward(one, {});
      const double tolerance = one.json.at("tolerance").at("outputs").get<double>();
      fixtures::compareOne(one, output, "activation.encoder.output", tolerance);
      const torch::Tensor real = one.at("input.mask").to(torch::kFloat64).unsqueeze(-1);
      const torch::Tensor loss = ((output - one.at("input.target")).square() * real).sum() * 0.5;
      fixtures::compareOne(one, loss, "output.loss", tolerance);
      loss.backward();
      const double gradients = one.json.at("tolerance").at("gradients").get<double>();
      fixtures::compareOne(one, table.grad(), "gradient." + name, gradients);
      fixtures::compareGradients(one, lone->store, gradients);
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

  // Last: every array of the cases was looked at by a test above.
  void everyArrayIsRead() {
    const std::string unread = fixtures::unreadArrays("beta_dependency", stackCase);
    QVERIFY2(unread.empty(), unread.c_str());
  }

 private:
  // The norm on top is one more sub-layer without a branch.
  static void checkTopNorm(const TensorCase& one, const StackBranches& recorded, double tolerance) {
    const torch::Tensor real = one.at("input.mask").ne(0);
    DependencyInput input;
    input.width = recorded.input.size(-1);
    input.tokens = recorded.input.numel() / input.width;
    input.embedding = flat(recorded.input);
    const torch::Tensor bytes = real.to(torch::kUInt8).contiguous();
    input.realToken.assign(bytes.const_data_ptr<std::uint8_t>(),
                           bytes.const_data_ptr<std::uint8_t>() + bytes.numel());
    for (const torch::Tensor& branch : recorded.branches) {
      DependencySublayer plain;
      plain.branch = flat(branch);
      input.sublayers.push_back(plain);
    }
    DependencySublayer norm;
    norm.branch.assign(input.embedding.size(), 0.0);
    norm.gamma = flat(one.at("parameter.encoder.layer_norm.weight"));
    norm.nu = flat(one.at("parameter.encoder.layer_norm.bias"));
    norm.eps = one.json.at("configuration").at("eps").get<double>();
    input.sublayers.push_back(norm);
    DependencyComponents found;
    const BetaDependency beta = computeBetaDependency(input, &found).value();
    found.parts.resize(found.parts.size() - input.embedding.size());  // the branch that is not there
    const std::string prefix = "output.components_after_top_layer_norm";
    const torch::Tensor expected = one.at(prefix);
    fixtures::compareOne(one, stacked(found.parts, found.bias, expected, real), prefix, tolerance);
    const auto columns = static_cast<std::size_t>(beta.sublayers + 1);
    for (const auto& [key, all] :
         {std::pair{"mean_token_std", &beta.meanTokenStd}, {"global_variance", &beta.globalStd}}) {
      const torch::Tensor row = one.at(std::string("output.beta_after_top_layer_norm.") + key);
      std::vector<double> own(all->end() - static_cast<std::ptrdiff_t>(columns), all->end() - 1);
      own.push_back(key == std::string("mean_token_std") ? beta.biasShare.back()
                                                         : row[row.size(0) - 1].item<double>());
      const std::string why = fixtures::layersDifference(torch::tensor(own, torch::kFloat64), row, tolerance);
      QVERIFY2(why.empty(), (one.name + " " + key + ": " + why).c_str());
    }
  }

  std::vector<fixtures::Case> m_places;
};

QTEST_APPLESS_MAIN(FixturesBetaDependencyTest)
#include "tst_fixtures_beta_dependency.moc"
