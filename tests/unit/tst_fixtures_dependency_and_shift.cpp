// SPDX-License-Identifier: Apache-2.0
// Areas beta_dependency, output_shift and gradient_norm of folder analysis: the torch-free half of these
// analyses. (The cases of folder layers are taken by the tests of core/probe.)
#include <QTest>

#include "core/analysis/dependency/beta_dependency.h"
#include "core/analysis/dependency/output_shift.h"
#include "core/analysis/norms/gradient_norm.h"
#include "tests/unit/support_golden_case.h"

using namespace fathom;
using golden::Case;

namespace {

#define QCOMPARE_TENSOR(one, actual, key)               \
  do {                                                  \
    const std::string why = (one).differs(actual, key); \
    QVERIFY2(why.empty(), why.c_str());                 \
  } while (false)

std::vector<double> slice(const std::vector<double>& values, std::size_t index, std::size_t size) {
  return {values.begin() + static_cast<std::ptrdiff_t>(index * size),
          values.begin() + static_cast<std::ptrdiff_t>((index + 1) * size)};
}

// [sentences, positions] 1 = real, from the lengths.
std::vector<std::uint8_t> realTokens(const std::vector<double>& lengths, std::int64_t positions) {
  std::vector<std::uint8_t> real;
  for (const double length : lengths) {
    for (std::int64_t t = 0; t < positions; ++t) real.push_back(static_cast<double>(t) < length ? 1 : 0);
  }
  return real;
}

// Cases of whole stacks have a "configuration"; the torch side takes them.
bool analysisCase(const Json& json) {
  return json.contains("config");
}

}  // namespace

class FixturesDependencyAndShiftTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (const std::string why = fixtures::absence({"beta_dependency", "output_shift", "gradient_norm"});
        !why.empty())
      QSKIP(why.c_str());
  }

  void betaDependency() {
    int taken = 0;
    for (const Case& one : golden::casesOf("beta_dependency")) {
      if (one.has("branch") && one.has("x0")) checkBeta(one), ++taken;
      if (one.has("maps")) checkAverage(one), ++taken;
      if (!analysisCase(one.json)) ++taken;  // tst_fixtures_beta_dependency has them
    }
    QCOMPARE(taken, static_cast<int>(golden::casesOf("beta_dependency").size()));
  }

  void outputShift() {
    int taken = 0;
    for (const Case& one : golden::casesOf("output_shift")) {
      if (one.has("x_star")) checkMeasure(one), ++taken;
      if (one.has("N")) checkFits(one), ++taken;
      if (one.json.contains("expected") && one.json["expected"].contains("perturbed"))
        checkNames(one), ++taken;
    }
    QVERIFY(taken > 0 || fixtures::cases("output_shift").empty());
  }

  void aConstantSeriesHasNoR2() {
    const std::vector<double> depth = {1, 2, 3}, constant = {5, 5, 5};
    QVERIFY(!fitAgainstDepth(depth, constant).r2.has_value());
  }

  void gradientNorms() {
    int taken = 0;
    for (const Case& one : golden::casesOf("gradient_norm")) {
      if (one.has("grad")) {
        const auto values = one.tensor("grad");
        const auto count = static_cast<std::size_t>(one.shape("grad")[0]);
        std::vector<double> norms;
        for (std::size_t i = 0; i < count; ++i)
          norms.push_back(frobenius(slice(values, i, values.size() / count)));
        QCOMPARE_TENSOR(one, norms, "norm");
        QCOMPARE_TENSOR(one, relativeToLargest(norms), "relative");
        ++taken;
      }
      if (one.has("gradient_norm")) {
        for (const std::string what : {"gradient", "update"}) {
          const auto norms = one.tensor(what + "_norm");
          const std::int64_t kinds = one.shape(what + "_norm").back();
          QCOMPARE_TENSOR(one, relativeEpochNorms(norms, kinds, NormReference::MatrixKind),
                          what + "_relative");
          QCOMPARE_TENSOR(one, relativeEpochNorms(norms, kinds, NormReference::Network),
                          what + "_relative_network");
        }
        ++taken;
      }
    }
    QCOMPARE(taken, static_cast<int>(golden::casesOf("gradient_norm").size()));
  }

  // From the weights and gradients themselves: rows 0..d, d..2d, 2d..3d of the joined projection, and the
  // output.
  void epochNormsOfMatrices() {
    for (const Case& one : golden::casesOf("gradient_norm")) {
      if (!one.has("in_proj")) continue;
      QCOMPARE_TENSOR(one, matrixNorms(one, one.tensor("grad_in_proj"), one.tensor("grad_out_proj")),
                      "gradient_norm");
      QCOMPARE_TENSOR(one, matrixNorms(one, steps(one, "in_proj"), steps(one, "out_proj")), "update_norm");
    }
  }

  void refusesPaddingOnlyBatches() {
    DependencyInput input;
    input.tokens = 1, input.width = 2;
    input.embedding = {1, 2};
    input.realToken = {0};
    QVERIFY(!computeBetaDependency(input).ok());
    QVERIFY(!measureOutputShift(input.embedding, input.embedding, 2, input.realToken).ok());
  }

  // Last: every array of the cases was looked at by a test above.
  void everyArrayIsRead() {
    const std::string unread = fixtures::unreadArrays("beta_dependency", analysisCase) +
                               fixtures::unreadArrays("output_shift", analysisCase) +
                               fixtures::unreadArrays("gradient_norm");
    QVERIFY2(unread.empty(), unread.c_str());
  }

 private:
  // Differences of neighbouring epochs.
  static std::vector<double> steps(const Case& one, const std::string& key) {
    const std::vector<double> values = one.tensor(key);
    const std::size_t each = values.size() / static_cast<std::size_t>(one.shape(key)[0]);
    std::vector<double> result;
    for (std::size_t i = each; i < values.size(); ++i) result.push_back(values[i] - values[i - each]);
    return result;
  }
  static double frobenius(const std::vector<double>& values) {
    return std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0));
  }
  // [epochs, layers, 4] of joined [.., 3d, d] and output [.., d, d] matrices.
  static std::vector<double> matrixNorms(const Case& one, const std::vector<double>& joined,
                                         const std::vector<double>& output) {
    const auto width = static_cast<std::size_t>(one.shape("in_proj").back()), size = width * width;
    std::vector<double> norms;
    for (std::size_t i = 0; i < output.size() / size; ++i) {
      for (std::size_t kind = 0; kind < 3; ++kind)
        norms.push_back(frobenius(slice(joined, 3 * i + kind, size)));
      norms.push_back(frobenius(slice(output, i, size)));
    }
    return norms;
  }

  void checkBeta(const Case& one) {
    const auto shape = one.shape("branch");
    DependencyInput input;
    input.tokens = shape[1] * shape[2];
    input.width = shape[3];
    input.embedding = one.tensor("x0");
    input.realToken = realTokens(one.tensor("lengths"), shape[2]);
    const auto branch = one.tensor("branch");
    const auto width = static_cast<std::size_t>(input.width);
    const bool norms = one.json.at("config").at("scheme") != "pre_ln";
    for (std::size_t i = 0; i < static_cast<std::size_t>(shape[0]); ++i) {
      DependencySublayer sublayer;
      sublayer.branch = slice(branch, i, branch.size() / static_cast<std::size_t>(shape[0]));
      if (norms) {
        sublayer.gamma = slice(one.tensor("gamma"), i, width);
        sublayer.nu = slice(one.tensor("nu"), i, width);
        sublayer.eps = one.json["config"].value("ln_eps", 1e-5);
      }
      if (one.has("omega")) sublayer.shortcut = slice(one.tensor("omega"), i, width);
      input.sublayers.push_back(std::move(sublayer));
    }
    DependencyComponents components;
    const auto beta = computeBetaDependency(input, &components);
    QVERIFY(beta.ok());
    QVERIFY(beta->largestResidual < 1e-12);
    QCOMPARE_TENSOR(one, beta->meanTokenStd, "beta_mean_token_std");
    QCOMPARE_TENSOR(one, beta->globalStd, "beta_global_std");
    std::vector<double> diagonal;
    for (std::int64_t i = 0; i < beta->sublayers; ++i)
      diagonal.push_back(beta->at(i, i + 1) * beta->at(i, i + 1));
    QVERIFY(ownBranchShares(input).value() == diagonal);
    if (one.has("bias_share")) QCOMPARE_TENSOR(one, beta->biasShare, "bias_share");
    if (!one.has("components_final")) return;
    // Padded positions are not computed: copy the expected rubbish there.
    auto parts = one.tensor("components_final");
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::size_t token = i / width % static_cast<std::size_t>(input.tokens);
      if (input.realToken[token] != 0) parts[i] = components.parts[i];
    }
    QCOMPARE_TENSOR(one, parts, "components_final");
    QCOMPARE_TENSOR(one, realOnly(one, components.bias, "bias_final", input), "bias_final");
    QCOMPARE_TENSOR(one, realOnly(one, components.output, "x_final", input), "x_final");
  }

  // Padded positions as the case has them.
  static std::vector<double> realOnly(const Case& one, const std::vector<double>& own, const std::string& key,
                                      const DependencyInput& input) {
    std::vector<double> values = one.tensor(key);
    for (std::size_t i = 0; i < values.size() && i < own.size(); ++i)
      if (input.realToken[i / static_cast<std::size_t>(input.width)] != 0) values[i] = own[i];
    return values;
  }

  void checkAverage(const Case& one) {
    const auto shape = one.shape("maps");
    const auto maps = one.tensor("maps");
    const auto finished = one.tensor("finished");
    std::vector<std::vector<double>> kept;
    for (std::size_t run = 0; run < finished.size(); ++run) {
      if (finished[run] != 0) kept.push_back(slice(maps, run, static_cast<std::size_t>(shape[1] * shape[2])));
    }
    const BetaAverage average = averageMaps(kept);
    QCOMPARE_TENSOR(one, average.mean, "mean");
    QCOMPARE_TENSOR(one, average.deviation, "std");
  }

  void checkMeasure(const Case& one) {
    const auto shape = one.shape("x");
    const auto x = one.tensor("x"), star = one.tensor("x_star");
    const auto real = realTokens(one.tensor("lengths"), shape[2]);
    std::map<std::string, std::vector<double>> found;
    const std::size_t size = x.size() / static_cast<std::size_t>(shape[0]);
    for (std::size_t i = 0; i < static_cast<std::size_t>(shape[0]); ++i) {
      const auto shift = measureOutputShift(slice(x, i, size), slice(star, i, size), shape[3], real);
      QVERIFY(shift.ok());
      for (const auto& [name, sums] :
           {std::pair{"raw", shift->raw}, {"normalised", shift->normalised}, {"theorem2", shift->theorem2}}) {
        found[std::string(name) + "_all"].push_back(sums.all);
        found[std::string(name) + "_real"].push_back(sums.real);
        found[std::string(name) + "_per_token"].push_back(sums.perToken);
      }
    }
    for (const auto& [key, values] : found) QCOMPARE_TENSOR(one, values, key);
  }

  void checkFits(const Case& one) {
    const auto depth = one.tensor("N");
    for (const auto& [key, what] : one.json.at("tensors").items()) {
      if (key == "N" || key.find("_vs_") != std::string::npos) continue;
      const auto shift = one.tensor(key);
      const ShiftFit linear = fitAgainstDepth(depth, shift), logarithmic = fitAgainstLogDepth(depth, shift);
      QVERIFY(linear.r2 && logarithmic.r2);
      QCOMPARE_TENSOR(one, (std::vector<double>{linear.slope, linear.intercept, *linear.r2}), key + "_vs_N");
      QCOMPARE_TENSOR(one, (std::vector<double>{logarithmic.slope, logarithmic.intercept, *logarithmic.r2}),
                      key + "_vs_lnN");
    }
  }

  void checkNames(const Case& one) {
    const auto p = one.tensor("p"), z = one.tensor("z"), gradient = one.tensor("grad");
    const auto sign = [](double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0; };
    std::vector<double> random, adam;
    for (std::size_t i = 0; i < p.size(); ++i) {
      random.push_back(p[i] - 1e-4 * sign(z[i]));
      adam.push_back(p[i] - 1e-6 * sign(gradient[i]));
    }
    QCOMPARE_TENSOR(one, random, "random");
    QCOMPARE_TENSOR(one, adam, "adam");
  }
};

QTEST_APPLESS_MAIN(FixturesDependencyAndShiftTest)
#include "tst_fixtures_dependency_and_shift.moc"
