// SPDX-License-Identifier: Apache-2.0
// Area output_shift, cases of folder layers: shifts of real stacks through core/probe.
#include <QTest>

#include "core/probe/branch_probe.h"
#include "core/probe/stack_shift.h"
#include "tests/torch/support_layer_checks.h"

using namespace fathom;
using fixtures::TensorCase;

namespace {

// The case as a net of one scheme with the first `layers` layers.
TensorCase netOf(TensorCase one, const std::string& scheme, std::int64_t layers) {
  one.json["configuration"]["encoder_scheme"] = scheme;
  one.json["configuration"]["encoder_layers"] = layers;
  const auto foreign = [&](const std::string& name) {
    if (name.rfind("parameter.", 0) != 0) return false;
    const std::string layer = "parameter.encoder.layers.";
    if (name.rfind(layer, 0) == 0 && std::stoll(name.substr(layer.size())) >= layers) return true;
    if (name.ends_with(".omega")) return scheme != "admin";
    return name.rfind("parameter.encoder.layer_norm.", 0) == 0 && scheme != "pre_ln";
  };
  std::erase_if(one.tensors, [&](const auto& item) { return foreign(item.first); });
  return one;
}

StackShift shiftOf(const TensorCase& one, fixtures::LoneStack& lone, double delta) {
  Perturbation change;
  change.kind = Perturbation::Kind::AdamStep;  // against the sign of what lies in the gradients
  change.delta = delta;
  const auto forward = [&](const StepContext& context) { lone.forward(one, context); };
  return probeOutputShift(lone.store, lone.stack->residual(), {{forward, one.at("input.mask").ne(0)}}, {},
                          change)
      .value();
}

void setSigns(const TensorCase& one, fixtures::LoneStack& lone) {
  for (const Leaf& leaf : lone.store.leaves())
    leaf.tensor.mutable_grad() = at::zeros_like(leaf.tensor.detach());
  for (const Parameter& parameter : lone.store.parameters()) {
    const std::string sign = "input.perturbation_sign." + parameter.info.name;
    if (one.has(sign)) lone.store.gradient(parameter).copy_(one.at(sign).to(torch::kFloat64) * 2 - 1);
  }
}

void backward(const TensorCase& one, fixtures::LoneStack& lone) {
  const torch::Tensor real = one.at("input.mask").ne(0).unsqueeze(-1);
  const torch::Tensor apart = (lone.forward(one, {}) - one.at("input.target")) * real;
  (apart.square().sum() * 0.5).backward();
}

// Depth 1 … of the stack that was measured, in one of the fixture's readings.
std::vector<double> seriesOf(const StackShift& shift, const std::string& name, std::int64_t width) {
  // The variance with n instead of n - 1 is that much smaller.
  const auto n = static_cast<double>(width);
  const double biased = name == "std_normalised_biased" ? n / (n - 1) : 1;
  std::vector<double> values;
  for (std::size_t i = 1; i < shift.sites.size(); i += 2) {
    const OutputShift &top = shift.afterTopNorm[i], &stream = shift.afterSublayer[i];
    values.push_back(name == "real"                    ? top.raw.real
                     : name == "all"                   ? top.raw.all
                     : name == "per_real_token"        ? top.raw.perToken
                     : name == "before_top_layer_norm" ? stream.raw.real
                                                       : stream.normalised.real * biased);
  }
  return values;
}

std::string differs(const TensorCase& one, const std::string& series, const std::vector<double>& found,
                    const std::string& name, double tolerance) {
  return fixtures::difference(torch::tensor(found, torch::kFloat64), one.at("output." + series + "." + name),
                              0, tolerance);
}

std::vector<double> flat(const torch::Tensor& tensor) {
  const torch::Tensor whole = tensor.detach().contiguous();
  return {whole.const_data_ptr<double>(), whole.const_data_ptr<double>() + whole.numel()};
}

OutputShift shiftBetween(const TensorCase& one, const torch::Tensor& before, const torch::Tensor& after) {
  const torch::Tensor mask = one.at("input.mask").contiguous();
  const std::span<const std::uint8_t> real(mask.const_data_ptr<std::uint8_t>(),
                                           static_cast<std::size_t>(mask.numel()));
  return measureOutputShift(flat(before), flat(after), before.size(-1), real).value();
}

std::vector<SublayerSite> sitesOf(const TensorCase& one, fixtures::LoneStack& lone) {
  return recordBranches([&](const StepContext& context) { lone.forward(one, context); }, {}).at(0).sites;
}

// One forward pass: what every sub-layer took in and gave out, and the stack's output.
struct Pass {
  fixtures::ActivationRecorder recorder;
  torch::Tensor output;
};
Pass passOf(const TensorCase& one, fixtures::LoneStack& lone) {
  Pass pass;
  StepContext context;
  context.observer = &pass.recorder;
  const torch::NoGradGuard noGradients;
  pass.output = lone.forward(one, context).clone();
  for (auto& [name, tensor] : pass.recorder.values) tensor = tensor.clone();
  return pass;
}

// Changes every perturbed weight by -step(its gradient), looks again, and puts the weights back.
Pass passAfter(const TensorCase& one, fixtures::LoneStack& lone,
               const std::function<torch::Tensor(const torch::Tensor&)>& step) {
  const torch::NoGradGuard noGradients;
  std::vector<std::pair<torch::Tensor, torch::Tensor>> saved;
  for (const Parameter& parameter : lone.store.parameters()) {
    if (!perturbs(parameter.info, Perturbation())) continue;
    torch::Tensor value = lone.store.value(parameter).detach();
    saved.emplace_back(value, value.clone());
    value.sub_(step(lone.store.gradient(parameter)));
  }
  Pass pass = passOf(one, lone);
  for (auto& [value, before] : saved) value.copy_(before);
  return pass;
}

constexpr const char* kNames[] = {"real",
                                  "all",
                                  "per_real_token",
                                  "before_top_layer_norm",
                                  "std_normalised_unbiased",
                                  "std_normalised_biased"};

}  // namespace

class FixturesOutputShiftTest : public QObject {
  Q_OBJECT
 private:
  // The signs lie in the gradients: outputs before and after, and the shift of what each sub-layer takes in.
  static void checkRandomPass(const TensorCase& whole, const TensorCase& one, fixtures::LoneStack& lone,
                              const std::string& id, double delta, double tolerance) {
    const Pass before = passOf(one, lone);
    const Pass after = passAfter(one, lone, [&](const torch::Tensor& signs) { return signs * delta; });
    const std::string prefix = "output." + id + ".";
    fixtures::compareOne(whole, before.output, prefix + "output_before", 1e-10);
    fixtures::compareOne(whole, after.output, prefix + "output_after_random", 1e-10);
    std::vector<double> inside;
    for (const SublayerSite& site : sitesOf(one, lone)) {
      const std::string key = "activation." + site.name() + ".branch_input";
      inside.push_back(
          shiftBetween(one, before.recorder.values.at(key), after.recorder.values.at(key)).normalised.real);
    }
    const std::string why = fixtures::difference(torch::tensor(inside, torch::kFloat64),
                                                 whole.at(prefix + "random.inside_squared"), 0, tolerance);
    QVERIFY2(why.empty(), (prefix + "inside_squared: " + why).c_str());
  }

  // Gradients of the deepest loss, and the step by Adam's formula, which is that of the signs but for eps.
  static void checkGradientsAndEps(const TensorCase& whole, const TensorCase& one, fixtures::LoneStack& lone,
                                   const std::string& id) {
    int compared = 0;
    for (const auto& [name, gradient] : whole.beginning("gradient." + id + ".")) {
      for (const Parameter& parameter : lone.store.parameters()) {
        if (parameter.info.name != name) continue;
        const std::string why = fixtures::layersDifference(lone.store.gradient(parameter), gradient, 1e-8);
        QVERIFY2(why.empty(), (id + " " + name + ": " + why).c_str());
        ++compared;
      }
    }
    QCOMPARE(compared, static_cast<int>(whole.beginning("gradient." + id + ".").size()));
    const double rate = whole.json["scalars"]["adam_rate"],
                 tolerance = whole.json["tolerance"]["adam_series"];
    const Pass before = passOf(one, lone);
    const Pass after =
        passAfter(one, lone, [&](const torch::Tensor& g) { return rate * g / (g.abs() + 1e-8); });
    StackShift shift;
    const LayerNorm* top = lone.stack->residual().topNorm();
    for (const SublayerSite& site : sitesOf(one, lone)) {
      const std::string key = "activation." + site.name() + ".output";
      const torch::Tensor &x = before.recorder.values.at(key), &star = after.recorder.values.at(key);
      shift.sites.push_back(site);
      shift.afterSublayer.push_back(shiftBetween(one, x, star));
      shift.afterTopNorm.push_back(top == nullptr ? shift.afterSublayer.back()
                                                  : shiftBetween(one, (*top)(x), (*top)(star)));
    }
    for (const char* name : kNames) {
      const std::string why = differs(whole, id + ".adam_eps_one_net",
                                      seriesOf(shift, name, one.at("input.x").size(-1)), name, tolerance);
      QVERIFY2(why.empty(), (id + " eps " + name + ": " + why).c_str());
    }
  }

 private Q_SLOTS:
  void fixtureSeries_data();
  void fixtureSeries();
  void everyArrayIsRead() {
    const std::string unread = fixtures::unreadArrays(
        "output_shift", [](const Json& json) { return json.contains("configuration"); });
    QVERIFY2(unread.empty(), unread.c_str());
  }
};

void FixturesOutputShiftTest::fixtureSeries_data() {
  QTest::addColumn<QString>("scheme");
  for (const char* scheme : {"post_ln", "pre_ln", "admin"})
    QTest::newRow(scheme) << QString::fromLatin1(scheme);
}

void FixturesOutputShiftTest::fixtureSeries() {
  QFETCH(QString, scheme);
  const std::string id = scheme.toStdString();
  int taken = 0;
  for (const auto& place : fixtures::cases("output_shift")) {
    const TensorCase whole = fixtures::readCase(place);
    if (!whole.json.contains("configuration")) continue;  // tests/unit takes them
    const auto layers = whole.json["configuration"]["encoder_layers"].get<std::int64_t>();
    const std::int64_t width = whole.at("input.x").size(-1);
    const double random = whole.json["tolerance"]["random_series"],
                 adam = whole.json["tolerance"]["adam_series"];
    const TensorCase one = netOf(whole, id, layers);
    const auto lone = fixtures::loneStack(one, "none");
    setSigns(one, *lone);
    const double delta = whole.json["scalars"]["delta"];
    const StackShift signs = shiftOf(one, *lone, delta);
    checkRandomPass(whole, one, *lone, id, delta, random);
    lone->store.zeroGradients();
    backward(one, *lone);
    checkGradientsAndEps(whole, one, *lone, id);
    const StackShift step = shiftOf(one, *lone, whole.json["scalars"]["adam_rate"]);
    std::map<std::string, std::vector<double>> perDepth;
    for (std::int64_t depth = 1; depth <= layers; ++depth) {
      const TensorCase net = netOf(whole, id, depth);
      const auto own = fixtures::loneStack(net, "none");
      backward(net, *own);
      const StackShift shift = shiftOf(net, *own, whole.json["scalars"]["adam_rate"]);
      for (const char* name : kNames) perDepth[name].push_back(seriesOf(shift, name, width).back());
    }
    for (const char* name : kNames) {
      for (const std::string& why :
           {differs(whole, id + ".random", seriesOf(signs, name, width), name, random),
            differs(whole, id + ".adam_one_net", seriesOf(step, name, width), name, adam),
            differs(whole, id + ".adam_per_depth", perDepth[name], name, adam)})
        QVERIFY2(why.empty(), (std::string(name) + ": " + why).c_str());
    }
    ++taken;
  }
  if (taken == 0) QSKIP(fixtures::skipped("no case of output_shift with a stack").c_str());
}

QTEST_APPLESS_MAIN(FixturesOutputShiftTest)
#include "tst_fixtures_output_shift.moc"
