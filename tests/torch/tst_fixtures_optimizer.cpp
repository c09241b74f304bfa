// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/optim/gradient_clip.h"
#include "core/optim/optimizer.h"
#include "core/optim/radam.h"
#include "tests/torch/support_tensors.h"

using namespace fathom;
using namespace fathom::fixtures;

namespace {

struct CaseSetting {
  std::vector<std::string> options;  // empty: unknown
  ClipRule clip = ClipRule::Off;
};

std::string number(const Json& value) {
  return jsonNumber(value.get<double>());
}

// Which optimiser a case is about, from its name; numbers from its configuration.
CaseSetting settingOf(const TensorCase& optimCase) {
  const std::string name = optimCase.name.substr(optimCase.name.rfind('/') + 1);
  CaseSetting setting;
  if (name.starts_with("radam_tc")) setting.options = {"optimizer=radam", "optimizer.radam.variant=tc"};
  if (name.starts_with("radam_ra")) setting.options = {"optimizer=radam", "optimizer.radam.variant=ra"};
  if (name.starts_with("adam_fairseq") || name == "accumulation_fairseq") {
    setting.options = {"optimizer=adam", "optimizer.adam.eps_place=fairseq"};
  }
  if (name.starts_with("adam_plain") || name.starts_with("dt_fixup")) {
    setting.options = {"optimizer=adam", "optimizer.adam.eps_place=plain"};
  }
  if (name.starts_with("bert_adamw")) setting.options = {"optimizer=bert_adamw"};
  if (setting.options.empty()) return setting;
  const Json& config = optimCase.json.at("config");
  if (config.contains("b1")) {
    setting.options.push_back("optimizer.beta1=" + number(config.at("b1")));
    setting.options.push_back("optimizer.beta2=" + number(config.at("b2")));
  } else {
    setting.options.push_back("optimizer.beta1=" + number(config.at("betas")[0]));
    setting.options.push_back("optimizer.beta2=" + number(config.at("betas")[1]));
  }
  setting.options.push_back("optimizer.eps=" + number(config.at("eps")));
  const std::string rule = config.value("clip_rule", "torch");
  if (config.value("max_norm", 0.0) > 0) {
    setting.clip = rule == "tensorflow" ? ClipRule::Bert
                   : rule == "torch"    ? ClipRule::Torch
                                        : ClipRule::Fairseq;
  }
  return setting;
}

double weightDecayOf(const Json& config, const std::string& parameter) {
  if (!config.contains("weight_decay")) return 0;
  const Json& decay = config.at("weight_decay");
  return decay.is_object() ? decay.at(parameter).get<double>() : decay.get<double>();
}

void compareNumber(const TensorCase& optimCase, double own, const torch::Tensor& expected,
                   const std::string& what) {
  const std::string difference = fixtures::difference(at::scalar_tensor(own, torch::kFloat64), expected,
                                                      optimCase.json.at("tolerance").at("abs").get<double>(),
                                                      optimCase.json.at("tolerance").at("rel").get<double>());
  QVERIFY2(difference.empty(), (optimCase.name + " " + what + ": " + difference).c_str());
}

void compareRectifier(const TensorCase& optimCase, double beta2, int step) {
  compareNumber(optimCase, radamRho(beta2, step + 1), optimCase.at("rho")[step], "rho");
  compareNumber(optimCase, radamRectifier(beta2, step + 1), optimCase.at("rectifier")[step], "rectifier");
}

// DT-Fixup's batch gradient is the mean over its examples, and its pre-trained group has a rate of its own.
void compareMicroBatches(const TensorCase& optimCase, const std::vector<std::string>& names, int step) {
  const torch::Tensor sizes = optimCase.at("micro_size")[step];
  for (const std::string& name : names) {
    const torch::Tensor micro = optimCase.at("micro_grad/" + name)[step];
    const torch::Tensor mean = at::tensordot(sizes / sizes.sum(), micro, {0}, {0});
    const std::string difference =
        fixtures::difference(mean, optimCase.at("grad/" + name)[step], 1e-12, 1e-10);
    QVERIFY2(difference.empty(), (optimCase.name + " " + name + ": " + difference).c_str());
  }
  compareNumber(optimCase, 0.008 * optimCase.at("lr")[step].item<double>(), optimCase.at("lr_group1")[step],
                "lr_group1");
}

// Runs every update of a case and compares parameters and moments after each.
void replay(const TensorCase& optimCase, const CaseSetting& setting) {
  const Json& config = optimCase.json.at("config");
  std::vector<OptimizerParameter> parameters;
  std::vector<torch::Tensor> tensors;
  const auto names = config.at("parameter_names").get<std::vector<std::string>>();
  for (const std::string& name : names) {
    torch::Tensor tensor = optimCase.at("param/" + name)[0].clone().requires_grad_();
    // dt_fixup: group 1 is the pre-trained part with its own small rate.
    const bool slow = config.contains("groups") && config.at("groups").at(name).get<int>() == 1;
    parameters.push_back({name, tensor, weightDecayOf(config, name), slow ? 0.008 : 1.0});
    tensors.push_back(tensor);
  }
  const OptionValues options = engineOptions(setting.options);
  std::unique_ptr<Optimizer> optimizer;
  for (const OptimizerEntry& entry : optimizerEntries()) {
    if (entry.id == options.text("optimizer")) optimizer = entry.make(options, parameters);
  }
  const double absolute = optimCase.json.at("tolerance").at("abs").get<double>();
  const double relative = optimCase.json.at("tolerance").at("rel").get<double>();
  const auto compare = [&](const torch::Tensor& own, const std::string& key, int step) {
    const std::string difference = fixtures::difference(own, optimCase.at(key)[step], absolute, relative);
    QVERIFY2(difference.empty(),
             (optimCase.name + " " + key + " update " + std::to_string(step) + ": " + difference).c_str());
  };
  for (int step = 0; step < config.at("steps").get<int>(); ++step) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      tensors[i].mutable_grad() = optimCase.at("grad/" + names[i])[step].clone();
    }
    const double norm = gradientNorm(tensors);
    const double factor = clipFactor(setting.clip, config.value("max_norm", 0.0), norm);
    compare(at::scalar_tensor(norm, torch::kFloat64), "grad_norm", step);
    compare(at::scalar_tensor(factor, torch::kFloat64), "clip_coef", step);
    if (optimCase.has("rho")) compareRectifier(optimCase, options.real("optimizer.beta2"), step);
    if (optimCase.has("micro_size")) compareMicroBatches(optimCase, names, step);
    optimizer->step(optimCase.at("lr")[step].item<double>(), factor);
    const OptimizerState state = optimizer->state();
    for (std::size_t i = 0; i < names.size(); ++i) {
      compare(tensors[i], "param/" + names[i], step + 1);
      compare(state.at(names[i] + ".first_moment"), "m/" + names[i], step);
      compare(state.at(names[i] + ".second_moment"), "v/" + names[i], step);
    }
  }
}

}  // namespace

class TestFixturesOptimizer : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (const std::string why = absence({"optimizer"}); !why.empty()) QSKIP(why.c_str());
  }
  void updates_data() {
    QTest::addColumn<int>("index");
    const auto all = cases("optimizer");
    for (std::size_t i = 0; i < all.size(); ++i) QTest::newRow(all[i].name.c_str()) << static_cast<int>(i);
  }
  void updates() {
    QFETCH(int, index);
    const TensorCase optimCase = readCase(cases("optimizer")[static_cast<std::size_t>(index)]);
    if (!optimCase.json.at("config").contains("parameter_names")) {
      const bool known =
          optimCase.name.ends_with("radam_rectifier") || optimCase.name.ends_with("first_step");
      QVERIFY2(known, (optimCase.name + ": a kind of case that no test reads").c_str());
      return;  // the next two tests take them
    }
    const CaseSetting setting = settingOf(optimCase);
    QVERIFY2(!setting.options.empty(),
             (optimCase.name + ": an optimiser this program does not have").c_str());
    replay(optimCase, setting);
  }
  void rectifier() {
    for (const Case& place : cases("optimizer")) {
      if (!place.name.ends_with("radam_rectifier")) continue;
      const TensorCase optimCase = readCase(place);
      const Json& config = optimCase.json.at("config");
      for (std::size_t b = 0; b < config.at("beta2").size(); ++b) {
        for (std::size_t k = 0; k < config.at("t").size(); ++k) {
          const double beta2 = config.at("beta2")[b].get<double>();
          const auto t = config.at("t")[k].get<std::int64_t>();
          const auto expected = [&](const char* key) {
            return optimCase.at(key)[static_cast<std::int64_t>(b)][static_cast<std::int64_t>(k)]
                .item<double>();
          };
          const double root = std::sqrt(1 - std::pow(beta2, static_cast<double>(t)));
          QVERIFY(std::abs(radamRho(beta2, t) - expected("rho")) <=
                  1e-12 + 1e-10 * std::abs(expected("rho")));
          QVERIFY(std::abs(radamRectifier(beta2, t) - expected("rectifier")) <= 1e-12 + 1e-10);
          QVERIFY(std::abs(radamRectifier(beta2, t) * root - expected("times_root")) <= 1e-12 + 1e-10);
        }
      }
    }
  }
  void firstStep() {
    for (const Case& place : cases("optimizer")) {
      if (!place.name.ends_with("first_step")) continue;
      const TensorCase optimCase = readCase(place);
      for (const OptimizerEntry& entry : optimizerEntries()) {
        const std::vector<std::pair<std::string, std::vector<std::string>>> variants = {
            {"adam_plain", {"optimizer=adam", "optimizer.adam.eps_place=plain"}},
            {"adam_fairseq", {"optimizer=adam"}},
            {"bert_adamw", {"optimizer=bert_adamw", "optimizer.eps=1e-6"}},
            {"radam_tc", {"optimizer=radam"}}};
        for (auto [key, assignments] : variants) {
          if (assignments[0] != "optimizer=" + entry.id) continue;
          assignments.push_back("optimizer.beta2=0.999");
          torch::Tensor parameter = at::zeros_like(optimCase.at("grad")).requires_grad_();
          parameter.mutable_grad() = optimCase.at("grad").clone();
          entry.make(engineOptions(assignments), {{"p", parameter}})->step(1);
          const std::string difference = fixtures::difference(parameter, optimCase.at(key), 1e-12, 1e-10);
          QVERIFY2(difference.empty(), (key + ": " + difference).c_str());
        }
      }
    }
  }

  // Last: every array of the cases was looked at by a test above.
  void everyArrayIsRead() {
    const std::string unread = unreadArrays(
        "optimizer", [](const Json& json) { return !json.at("config").contains("update_freq"); });
    QVERIFY2(unread.empty(), unread.c_str());
  }
};

QTEST_APPLESS_MAIN(TestFixturesOptimizer)
#include "tst_fixtures_optimizer.moc"
