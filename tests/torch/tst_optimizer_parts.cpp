// SPDX-License-Identifier: Apache-2.0
// What surrounds the update rule: many tensors at once, groups with rates of their own, exponential averages.
#include <ATen/Parallel.h>

#include <QTest>
#include <cmath>

#include "core/optim/gradient_clip.h"
#include "core/optim/moment_kernels.h"
#include "core/optim/optimizer.h"
#include "tests/torch/support_tensors.h"

using namespace fathom;
using namespace fathom::fixtures;

namespace {

torch::Tensor wave(std::int64_t count, double phase, torch::ScalarType type) {
  return at::arange(count, torch::kFloat64).mul(0.37).add(phase).sin().to(type);
}

std::vector<MomentJob> jobsOf(torch::ScalarType type) {
  std::vector<MomentJob> jobs;
  for (const std::int64_t count : {1, 7, 33000, 70001, 64}) {
    MomentUpdate update;
    update.stepSize = 1e-2 * static_cast<double>(count % 5 + 1);
    update.decay = count % 2 == 0 ? 0.999 : 1;
    update.addedDecay = count == 7 ? 0.01 : 0;
    update.gradientScale = 0.25;
    jobs.push_back({wave(count, 0, type), wave(count, 1, type), wave(count, 2, type).mul_(.1),
                    wave(count, 3, type).square_(), update});
  }
  return jobs;
}

// The formula of moment_kernels.h in plain C++: no vectors, no blocks, no threads. Every operation rounds
// once, so the vectorised loops must give the same bits.
template <typename T>
void updatePlainly(const MomentJob& job) {
  const MomentUpdate& u = job.update;
  const auto as = [](double value) { return static_cast<T>(value); };
  T* p = job.parameter.mutable_data_ptr<T>();
  T* m = job.firstMoment.mutable_data_ptr<T>();
  T* v = job.secondMoment.mutable_data_ptr<T>();
  for (std::int64_t i = 0; i < job.parameter.numel(); ++i) {
    const T g = job.gradient.const_data_ptr<T>()[i] * as(u.gradientScale);
    v[i] = as(u.beta2) * v[i] + as(1 - u.beta2) * g * g;
    m[i] = as(u.beta1) * m[i] + as(1 - u.beta1) * g;
    const T before = p[i] * as(u.decay);
    const T below = std::sqrt(v[i]) * as(1 / u.rootScale) + as(u.eps);
    p[i] = before - as(u.stepSize) * m[i] / below - as(u.stepSize * u.addedDecay) * before;
  }
}

bool sameBits(const MomentJob& left, const MomentJob& right) {
  return left.parameter.equal(right.parameter) && left.firstMoment.equal(right.firstMoment) &&
         left.secondMoment.equal(right.secondMoment);
}

std::unique_ptr<ParameterStore> storeOf() {
  auto store = std::make_unique<ParameterStore>(torch::TensorOptions(torch::kFloat64));
  for (const char* name : {"encoder.layers.0.weight", "encoder.norm.weight", "head.weight"}) {
    ParameterInfo info;
    info.name = name;
    store->add(info, {3, 2}, 1);
  }
  return store;
}

void step(Optimizer& optimizer, double rate, double gradient) {
  for (const OptimizerParameter& parameter : optimizer.parameters()) {
    torch::Tensor tensor = parameter.tensor;
    tensor.mutable_grad() = at::full_like(tensor.detach(), gradient);
  }
  optimizer.step(rate);
}

}  // namespace

class TestOptimizerParts : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void manyTensorsAtOnceEqualThePlainFormula() {
    for (const torch::ScalarType type : {torch::kFloat32, torch::kFloat64}) {
      const std::vector<MomentJob> alone = jobsOf(type);
      for (const MomentJob& job : alone)
        type == torch::kFloat32 ? updatePlainly<float>(job) : updatePlainly<double>(job);
      for (const int threads : {1, 2}) {
        at::set_num_threads(threads);
        const std::vector<MomentJob> together = jobsOf(type);
        applyMomentUpdates(together);
        for (std::size_t i = 0; i < alone.size(); ++i) QVERIFY(sameBits(together[i], alone[i]));
      }
      at::set_num_threads(1);
    }
  }

  void gradientNormsAreOfAllTensorsAndAnyThreads() {
    for (const torch::ScalarType type : {torch::kFloat32, torch::kFloat64}) {
      std::vector<torch::Tensor> parameters;
      double total = 0;
      for (const std::int64_t count : {1, 7, 33000, 0, 70001, 64}) {
        torch::Tensor parameter = wave(count, 0, type);
        parameter.mutable_grad() = wave(count, 1, type);
        total += parameter.grad().to(torch::kFloat64).square().sum().item<double>();
        parameters.push_back(parameter);
      }
      parameters.push_back(wave(5, 0, type));  // no gradient
      at::set_num_threads(1);
      const double norm = gradientNorm(parameters);
      QVERIFY(std::abs(norm - std::sqrt(total)) < 1e-12 * norm);
      at::set_num_threads(2);
      QCOMPARE(gradientNorm(parameters), norm);
      at::set_num_threads(1);
    }
  }

  void groupsHaveTheirOwnRates() {
    const auto store = storeOf();
    const auto optimizer =
        makeOptimizer(engineOptions({"optimizer=bert_adamw", "optimizer.eps=1e-12",
                                     "optimizer.rate_groups=encoder.=0.5:4,encoder.norm=0.25"}),
                      *store)
            .value();
    const auto& parameters = optimizer->parameters();
    QCOMPARE(parameters[0].rateFactor, 0.5);
    QCOMPARE(parameters[0].rateWarmup, std::int64_t{4});
    QCOMPARE(parameters[1].rateFactor, 0.25);
    QCOMPARE(parameters[1].rateWarmup, std::int64_t{0});
    QCOMPARE(parameters[2].rateFactor, 1.0);
    std::vector<double> moved(3, 0);
    std::vector<double> before = {1, 1, 1};
    for (int t = 1; t <= 6; ++t) {
      step(*optimizer, 1e-3, 1);
      for (std::size_t i = 0; i < 3; ++i) {
        const double now = parameters[i].tensor.detach()[0][0].item<double>();
        moved[i] = before[i] - now;
        before[i] = now;
      }
      const double warm = t <= 4 ? (t - 1) / 4.0 : 1;
      QVERIFY(std::abs(moved[0] - .5 * warm * moved[2]) < 1e-12);
      QVERIFY(std::abs(moved[1] - .25 * moved[2]) < 1e-12);
    }
  }

  void groupsHaveTheirOwnSchedules() {
    const auto store = storeOf();
    const OptionValues options =
        engineOptions({"optimizer=bert_adamw", "optimizer.eps=1e-12", "lr_schedule=constant",
                       "lr_schedule.warmup=0", "lr_schedule.rate=1e-3", "lr_schedule.initial=0",
                       "lr_schedule.minimum=0", "optimizer.rate_groups=encoder.=0.5:2@linear"});
    const auto optimizer = makeOptimizer(options, *store).value();
    QVERIFY(optimizer->planSchedules(options, 10).ok());
    const auto& parameters = optimizer->parameters();
    std::vector<double> moved(3, 0), before = {1, 1, 1};
    for (int t = 1; t <= 9; ++t) {
      step(*optimizer, 1e-3, 1);
      for (std::size_t i = 0; i < 3; ++i) {
        const double now = parameters[i].tensor.detach()[0][0].item<double>();
        moved[i] = before[i] - now;
        before[i] = now;
      }
      // Warm-up of two updates, then down to 0 at update 10 (docs/schedules.md, linear).
      const double share = t - 1 < 2 ? (t - 1) / 2.0 : 1 - (t - 3) / 8.0;
      QVERIFY(std::abs(moved[0] - .5 * share * moved[2]) < 1e-12);
    }
    QVERIFY(!optimizer->planSchedules(options, 1).ok());  // shorter than the warm-up
  }

  void wrongGroupsAreRefused() {
    const auto store = storeOf();
    for (const char* text : {"decoder.=0.5", "=0.5", "encoder.=fast", "encoder.=0.5:x", "encoder.=-1",
                             "encoder.", "encoder.=1@soon", "encoder.=1@"}) {
      const auto made = makeOptimizer(engineOptions({std::string("optimizer.rate_groups=") + text}), *store);
      QVERIFY2(!made.ok(), text);
      QCOMPARE(made.error().key, std::string("optimizer.rate_groups"));
    }
  }

  void averagesAreKeptAndRestored() {
    const auto store = storeOf(), other = storeOf();
    const OptionValues options = engineOptions({"optimizer=adam", "optimizer.average_decay=0.9"});
    const auto optimizer = makeOptimizer(options, *store).value();
    const torch::Tensor parameter = optimizer->parameters()[0].tensor;
    double average = 1;
    for (int t = 1; t <= 5; ++t) {
      step(*optimizer, 0.1, t % 2 == 0 ? 1 : -2);
      average = .9 * average + .1 * parameter.detach()[0][0].item<double>();
    }
    const torch::Tensor own = parameter.detach().clone();
    {
      const AveragedWeights averaged(*optimizer);
      QVERIFY(std::abs(parameter.detach()[0][0].item<double>() - average) < 1e-12);
      QVERIFY(!parameter.detach().equal(own));
    }
    QVERIFY(parameter.detach().equal(own));
    QVERIFY(loadAverages(optimizer->state(), *other).ok());
    QVERIFY(std::abs(other->value("encoder.layers.0.weight")[0][0].item<double>() - average) < 1e-12);
    const auto second = makeOptimizer(options, *other).value();
    QVERIFY(second->load(optimizer->state()).ok());
    const auto none = makeOptimizer(engineOptions({"optimizer=adam"}), *other).value();
    QVERIFY(!second->load(none->state()).ok());  // a state without averages
    QVERIFY(!loadAverages(none->state(), *other).ok());
  }
};

QTEST_APPLESS_MAIN(TestOptimizerParts)
#include "tst_optimizer_parts.moc"
