// SPDX-License-Identifier: Apache-2.0
// Accumulation over micro-batches and workers with one normaliser (docs/optimisers.md §7): the very class the
// training loop uses is fed with the fixture's gradients.
#include <QTest>

#include "core/optim/lr_schedule.h"
#include "core/train/loop/update_step.h"
#include "core/train/parts/run_options.h"
#include "tests/torch/support_golden_tensors.h"
#include "tests/unit/support_fixtures.h"

using namespace fathom;
using namespace fathom::test;

class TestFixturesAccumulation : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void golden();

  // Last: every array of the cases was looked at by the test above.
  void everyArrayIsRead() {
    const std::string unread = fixtures::unreadArrays(
        "optimizer", [](const Json& json) { return json.at("config").contains("update_freq"); });
    QVERIFY2(unread.empty(), unread.c_str());
  }
};

void TestFixturesAccumulation::golden() {
  int taken = 0;
  for (const GoldenCase& golden : goldenCases("optimizer")) {
    const Json& config = golden.json.at("config");
    if (!config.contains("update_freq")) continue;
    ++taken;
    const auto names = config.at("parameter_names").get<std::vector<std::string>>();
    std::vector<OptimizerParameter> parameters;
    for (const std::string& name : names) {
      torch::Tensor initial = golden.tensor("param/" + name).select(0, 0).clone();
      parameters.push_back({name, initial, config.at("weight_decay").get<double>(), 1});
    }
    RunConfig run;
    run.options = {{"optimizer", "adam"},
                   {"optimizer.beta1", config.at("b1")},
                   {"optimizer.beta2", config.at("b2")},
                   {"optimizer.eps", config.at("eps")},
                   {"optimizer.adam.eps_place", "fairseq"}};
    const OptionValues options = runOptions(run, golden.name, {}).value();
    std::unique_ptr<Optimizer> optimizer;
    for (const OptimizerEntry& entry : optimizerEntries()) {
      if (entry.id == "adam") optimizer = entry.make(options, parameters);
    }
    const double maxNorm = config.at("max_norm").get<double>();
    UpdateStep update(*optimizer, Normalisation::PerUnit, ClipRule::Fairseq, maxNorm);
    const torch::Tensor tokens = golden.tensor("micro_tokens"), rates = golden.tensor("lr");
    std::string message;
    for (std::int64_t step = 0; step < config.at("steps").get<std::int64_t>(); ++step) {
      update.begin();
      for (std::int64_t worker = 0; worker < tokens.size(1); ++worker) {
        for (std::int64_t micro = 0; micro < tokens.size(2); ++micro) {
          for (OptimizerParameter& parameter : parameters) {
            const torch::Tensor gradient =
                golden.tensor("micro_grad/" + parameter.name)[step][worker][micro].clone();
            torch::Tensor& sum = parameter.tensor.mutable_grad();
            sum = sum.defined() ? sum + gradient : gradient;
          }
          update.addSums(0, tokens[step][worker][micro].item<double>());
        }
      }
      const torch::Tensor norm = torch::tensor(update.gradientNorm(), torch::kFloat64);
      QVERIFY2(
          closeTo(norm, golden.tensor("grad_norm")[step], golden.absolute(), golden.relative(), &message),
          message.c_str());
      const torch::Tensor coefficient =
          torch::tensor(clipFactor(ClipRule::Fairseq, maxNorm, norm.item<double>()), torch::kFloat64);
      QVERIFY2(closeTo(coefficient, golden.tensor("clip_coef")[step], golden.absolute(), golden.relative(),
                       &message),
               message.c_str());
      const double units = tokens[step].sum().item<double>();
      for (const OptimizerParameter& parameter : parameters) {
        QVERIFY2(closeTo(parameter.tensor.grad() / units, golden.tensor("grad/" + parameter.name)[step],
                         golden.absolute(), golden.relative(), &message),
                 (parameter.name + " gradient: " + message).c_str());
      }
      update.apply(rates[step].item<double>());
      const OptimizerState state = optimizer->state();
      for (const OptimizerParameter& parameter : parameters) {
        for (const auto& [own, moment] : {std::pair(".first_moment", "m/"), {".second_moment", "v/"}})
          QVERIFY2(closeTo(state.at(parameter.name + own), golden.tensor(moment + parameter.name)[step],
                           golden.absolute(), golden.relative(), &message),
                   (parameter.name + own + ": " + message).c_str());
        QVERIFY2(closeTo(parameter.tensor, golden.tensor("param/" + parameter.name)[step + 1],
                         golden.absolute(), golden.relative(), &message),
                 (parameter.name + ": " + message).c_str());
      }
    }
  }
  if (taken == 0) QSKIP(fixtures::skipped("no case of optimizer with accumulation").c_str());
}

QTEST_APPLESS_MAIN(TestFixturesAccumulation)
#include "tst_fixtures_accumulation.moc"
