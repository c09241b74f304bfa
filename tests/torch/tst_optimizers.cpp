// SPDX-License-Identifier: Apache-2.0
#include <ATen/Parallel.h>

#include <QTest>
#include <cmath>
#include <limits>

#include "core/optim/gradient_clip.h"
#include "core/optim/optimizer.h"
#include "core/optim/radam.h"
#include "tests/torch/support_tensors.h"

using namespace fathom;
using namespace fathom::fixtures;

namespace {

std::unique_ptr<Optimizer> make(const std::vector<std::string>& assignments,
                                std::vector<OptimizerParameter> parameters) {
  const OptionValues options = engineOptions(assignments);
  for (const OptimizerEntry& entry : optimizerEntries()) {
    if (entry.id == options.text("optimizer")) return entry.make(options, std::move(parameters));
  }
  return nullptr;
}

torch::Tensor wave(std::int64_t count, double phase, torch::ScalarType type) {
  return at::arange(count, torch::kFloat64).mul(0.37).add(phase).sin().to(type);
}

}  // namespace

class TestOptimizers : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // Waiting, first step and rectifier of docs/optimisers.md §1.
  void oracle13RAdam() {
    const double beta1 = .9, beta2 = .98, rate = 1e-2, decay = 1e-4;
    torch::Tensor p = wave(5, 0, torch::kFloat64).requires_grad_();
    const auto optimizer = make({"optimizer=radam"}, {{"p", p, decay}});
    std::vector<double> own(5), m(5, 0), v(5, 0);
    for (std::size_t i = 0; i < 5; ++i) own[i] = p[static_cast<std::int64_t>(i)].item<double>();
    for (int t = 1; t <= 20; ++t) {
      p.mutable_grad() = wave(5, t, torch::kFloat64);
      const torch::Tensor before = p.detach().clone();
      optimizer->step(rate);
      const double limit = 2 / (1 - beta2) - 1;
      const double rho = limit - 2 * t * std::pow(beta2, t) / (1 - std::pow(beta2, t));
      for (std::size_t i = 0; i < 5; ++i) {
        const double g = p.grad()[static_cast<std::int64_t>(i)].item<double>();
        v[i] = beta2 * v[i] + (1 - beta2) * g * g;
        m[i] = beta1 * m[i] + (1 - beta1) * g;
        own[i] -= decay * rate * own[i];
        if (rho < 5) continue;
        const double s = rate *
                         std::sqrt((1 - std::pow(beta2, t)) * (rho - 4) * (rho - 2) * limit /
                                   ((limit - 4) * (limit - 2) * rho)) /
                         (1 - std::pow(beta1, t));
        own[i] -= s * m[i] / (std::sqrt(v[i]) + 1e-8);
      }
      if (t <= 5) QVERIFY(difference(p, before * (1 - decay * rate), 1e-15, 1e-14).empty());
      QVERIFY(difference(p, at::tensor(own, torch::kFloat64), 1e-14, 1e-13).empty());
    }
    const std::pair<double, double> atSix[] = {
        {.98, .0390321}, {.99, .0197589}, {.995, .0099398}, {.999, .0019976}};
    for (const auto& [b2, expected] : atSix) {
      QCOMPARE(radamRectifier(b2, 5), 0.0);
      QVERIFY(std::abs(radamRectifier(b2, 6) * std::sqrt(1 - std::pow(b2, 6)) - expected) < 1e-7);
    }
  }

  void originalVariantDecaysOnlyWithAStep() {
    torch::Tensor p = at::ones({3}, torch::kFloat64).requires_grad_();
    const auto optimizer = make({"optimizer=radam", "optimizer.radam.variant=ra"}, {{"p", p, 0.1}});
    p.mutable_grad() = at::ones({3}, torch::kFloat64);
    for (int t = 1; t <= 5; ++t) optimizer->step(0.1);
    QVERIFY(p.detach().eq(1).all().item<bool>());
    optimizer->step(0.1);
    QVERIFY(p.detach().lt(0.99).all().item<bool>());
  }

  // The paper's threshold: rho_4 = 3.95 and rho_5 = 4.92 for beta2 = .98, so the first step is the fifth.
  void thresholdOfThePaper() {
    torch::Tensor p = at::ones({3}, torch::kFloat64).requires_grad_();
    const auto optimizer = make({"optimizer=radam", "optimizer.radam.threshold=4"}, {{"p", p, 0}});
    p.mutable_grad() = at::ones({3}, torch::kFloat64);
    for (int t = 1; t <= 4; ++t) optimizer->step(0.1);
    QVERIFY(p.detach().eq(1).all().item<bool>());
    optimizer->step(0.1);
    QVERIFY(p.detach().lt(1).all().item<bool>());
  }

  void fusedEqualsPlainOperations() {
    // The fused loop against the same formulas written with ATen, float32, enough entries for several blocks.
    torch::Tensor p = wave(100003, 0, torch::kFloat32).requires_grad_();
    torch::Tensor plain = p.detach().clone(), m = at::zeros_like(plain), v = at::zeros_like(plain);
    const auto optimizer = make({"optimizer=adam", "optimizer.beta2=0.999"}, {{"p", p, 0.01}});
    for (int t = 1; t <= 5; ++t) {
      const torch::Tensor g = wave(100003, t, torch::kFloat32);
      p.mutable_grad() = g;
      optimizer->step(1e-3, 0.5);
      const torch::Tensor scaled = g * 0.5;
      v = v * 0.999 + scaled * scaled * 0.001;
      m = m * 0.9 + scaled * 0.1;
      const double s = 1e-3 * std::sqrt(1 - std::pow(.999, t)) / (1 - std::pow(.9, t));
      plain = plain * (1 - 1e-5) - s * m / (v.sqrt() + 1e-8);
    }
    QVERIFY(difference(p, plain, 1e-6, 1e-5).empty());
  }

  void sameOnTwoThreads() {
    torch::Tensor results[2];
    double norms[2];
    for (int threads = 1; threads <= 2; ++threads) {
      at::set_num_threads(threads);
      torch::Tensor p = wave(200001, 0, torch::kFloat32).requires_grad_();
      const auto optimizer = make({"optimizer=radam"}, {{"p", p, 0.01}});
      for (int t = 1; t <= 8; ++t) {
        p.mutable_grad() = wave(200001, t, torch::kFloat32);
        optimizer->step(1e-3);
      }
      norms[threads - 1] = gradientNorm(std::vector<torch::Tensor>{p});
      results[threads - 1] = p.detach();
    }
    at::set_num_threads(1);
    QVERIFY(results[0].equal(results[1]));
    QCOMPARE(norms[0], norms[1]);
  }

  void stateRoundTrip() {
    torch::Tensor p = wave(7, 0, torch::kFloat32).requires_grad_();
    const auto first = make({"optimizer=radam"}, {{"p", p}});
    for (int t = 1; t <= 7; ++t) {
      p.mutable_grad() = wave(7, t, torch::kFloat32);
      first->step(1e-2);
    }
    torch::Tensor q = p.detach().clone().requires_grad_();
    const auto second = make({"optimizer=radam"}, {{"p", q}});
    QVERIFY(second->load(first->state()).ok());
    QCOMPARE(second->updates(), 7);
    p.mutable_grad() = wave(7, 9, torch::kFloat32);
    q.mutable_grad() = wave(7, 9, torch::kFloat32);
    first->step(1e-2);
    second->step(1e-2);
    QVERIFY(p.detach().equal(q.detach()));
    OptimizerState broken = first->state();
    broken.erase("p.second_moment");
    const Status status = second->load(broken);
    QVERIFY(!status.ok());
    QVERIFY(status.error().message.find("p.second_moment") != std::string::npos);
  }

  void clipping() {
    torch::Tensor p = at::zeros({2}, torch::kFloat64).requires_grad_();
    p.mutable_grad() = at::tensor({3.0, 4.0}, torch::kFloat64);
    const double norm = gradientNorm(std::vector<torch::Tensor>{p, at::zeros({3})});
    QCOMPARE(norm, 5.0);
    QCOMPARE(clipFactor(ClipRule::Fairseq, 1, norm), 1 / (5 + 1e-6));
    QCOMPARE(clipFactor(ClipRule::Fairseq, 5, norm), 1.0);
    QCOMPARE(clipFactor(ClipRule::Torch, 5, norm), 5 / (5 + 1e-6));
    QCOMPARE(clipFactor(ClipRule::Bert, 1, norm), 0.2);
    QCOMPARE(clipFactor(ClipRule::Off, 1, norm), 1.0);
    QCOMPARE(clipFactor(ClipRule::Fairseq, 1, std::numeric_limits<double>::infinity()), 1.0);
    p.mutable_grad()[0] = std::nan("");
    QVERIFY(std::isnan(gradientNorm(std::vector<torch::Tensor>{p})));
  }
};

QTEST_APPLESS_MAIN(TestOptimizers)
#include "tst_optimizers.moc"
