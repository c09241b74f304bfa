// SPDX-License-Identifier: Apache-2.0
// Areas attention_statistics, beta_dependency and gradient_norm in single precision: 1e-5 from the golden
// values.
#include <QTest>
#include <cmath>

#include "core/analysis/norms/gradient_norm.h"
#include "core/probe/attention_rows.h"
#include "core/probe/branch_probe.h"
#include "tests/torch/support_layer_case.h"
#include "tests/unit/support_golden_case.h"

using namespace fathom;
using golden::Case;

namespace {

constexpr double kTolerance = 1e-5;

torch::Tensor single(const Case& one, const std::string& key) {
  return torch::tensor(one.tensor(key), torch::kFloat64)
      .view(one.shape(key))
      .to(torch::kFloat32)
      .contiguous();
}

// "" when every finite expected value is met; NaN in the golden values is padding, which is not looked at.
std::string differs(const std::vector<double>& found, const std::vector<double>& expected,
                    const std::string& what) {
  if (found.size() != expected.size()) return what + ": another number of values";
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (std::isnan(expected[i])) continue;
    if (!(std::abs(found[i] - expected[i]) <= kTolerance * std::max(1.0, std::abs(expected[i]))))
      return what + "[" + std::to_string(i) + "]: " + std::to_string(found[i]) + ", expected " +
             std::to_string(expected[i]);
  }
  return {};
}

}  // namespace

#define QVERIFY_SAME(...)                         \
  do {                                            \
    const std::string why = differs(__VA_ARGS__); \
    QVERIFY2(why.empty(), why.c_str());           \
  } while (false)

class FixturesFloat32AnalysesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (const std::string why =
            fixtures::absence({"attention_statistics", "beta_dependency", "gradient_norm"});
        !why.empty())
      QSKIP(why.c_str());
  }

  void attentionRows() {
    int taken = 0;
    for (const Case& one : golden::casesOf("attention_statistics")) {
      if (one.has("P")) {
        QVERIFY_SAME(rowEntropies(single(one, "P")), one.tensor("entropy_nats"), one.name + " entropy");
        ++taken;
      } else if (one.has("rows")) {
        checkHand(one);
        ++taken;
      } else if (one.has("jsd_bits")) {
        checkDivergence(one);
        ++taken;
      }
    }
    QCOMPARE(taken, static_cast<int>(golden::casesOf("attention_statistics").size()));
  }

  void betaOfStacks() {
    int taken = 0;
    for (const auto& place : fixtures::cases("beta_dependency")) {
      fixtures::TensorCase one = fixtures::readCase(place);
      if (!one.json.contains("configuration")) continue;
      const std::string table = "parameter.embedding.token.weight";
      const double width = one.json.at("configuration").at("d_model").get<double>();
      one.tensors["input.x"] =
          at::embedding(one.at(table), one.at("input.source_tokens")) * std::sqrt(width) +
          at::embedding(one.at("input.position_table"), one.at("input.source_positions"));
      one.tensors["input.mask"] = one.at("input.source_mask");
      one.tensors.erase(table);
      const auto lone = fixtures::loneStack(one, "none", torch::kFloat32);
      const auto recorded =
          recordBranches([&](const StepContext& context) { lone->forward(one, context); }, {});
      const auto beta =
          betaOfStack(recorded.at(0), lone->stack->residual(), one.at("input.mask").ne(0)).value();
      const std::int64_t n = beta.sublayers;
      const torch::Tensor expected =
          one.at("output.beta.mean_token_std").slice(0, 1).slice(1, 0, n + 1).contiguous();
      const double* values = expected.const_data_ptr<double>();
      QVERIFY_SAME(beta.meanTokenStd, {values, values + expected.numel()}, place.name);
      QVERIFY(beta.largestResidual < kTolerance);
      ++taken;
    }
    if (taken == 0) QSKIP("no case of beta_dependency with a stack");
  }

  void gradientNorms() {
    int taken = 0;
    for (const Case& one : golden::casesOf("gradient_norm")) {
      if (!one.has("grad")) continue;
      const torch::Tensor gradients = single(one, "grad");
      std::vector<double> norms;
      for (std::int64_t i = 0; i < gradients.size(0); ++i)
        norms.push_back(gradients[i].to(torch::kFloat64).norm().item<double>());
      QVERIFY_SAME(norms, one.tensor("norm"), one.name + " norm");
      QVERIFY_SAME(relativeToLargest(norms), one.tensor("relative"), one.name + " relative");
      ++taken;
    }
    if (taken == 0) QSKIP("no case of gradient_norm with gradients");
  }

 private:
  void checkHand(const Case& one) {
    const torch::Tensor rows = single(one, "rows");
    const auto entropies = rowEntropies(rows);
    QVERIFY_SAME(entropies, one.tensor("entropy_nats"), one.name + " entropy");
    const auto expected = one.tensor("jsd_bits");
    const std::int64_t count = rows.size(0);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::vector<double> own(static_cast<std::size_t>(count), entropies[static_cast<std::size_t>(i)]);
      const auto found =
          rowDivergences(rows[i].unsqueeze(0).expand_as(rows).contiguous(), rows, own, entropies);
      QVERIFY_SAME(found, {expected.begin() + i * count, expected.begin() + (i + 1) * count}, one.name);
    }
  }

  void checkDivergence(const Case& one) {
    Case source = one;  // the probabilities lie in the case that `input` names: "P of <case>"
    const std::string input = one.json.at("config").value("input", "");
    source.path = one.path.substr(0, one.path.rfind('/') + 1) + input.substr(input.rfind(' ') + 1);
    const torch::Tensor p = single(source, "P");
    const torch::Tensor above = p.slice(0, 1).contiguous(), below = p.slice(0, 0, p.size(0) - 1).contiguous();
    const auto found = rowDivergences(above, below, rowEntropies(above), rowEntropies(below));
    QVERIFY_SAME(found, one.tensor("jsd_bits"), one.name);
  }
};

QTEST_APPLESS_MAIN(FixturesFloat32AnalysesTest)
#include "tst_fixtures_float32_analyses.moc"
