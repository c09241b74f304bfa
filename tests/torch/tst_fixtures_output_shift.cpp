// SPDX-License-Identifier: Apache-2.0
// Area output_shift, cases of folder layers: shifts of real stacks through core/probe.
#include <QTest>

#include "core/probe/stack_shift.h"
#include "tests/torch/support_layer_case.h"

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
  return probeOutputShift(lone.store, lone.stack->residual(), forward, {}, change, one.at("input.mask").ne(0))
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
std::vector<double> seriesOf(const StackShift& shift, const std::string& name) {
  std::vector<double> values;
  for (std::size_t i = 1; i < shift.sites.size(); i += 2) {
    const OutputShift &top = shift.afterTopNorm[i], &stream = shift.afterSublayer[i];
    values.push_back(name == "real"                    ? top.raw.real
                     : name == "all"                   ? top.raw.all
                     : name == "per_real_token"        ? top.raw.perToken
                     : name == "before_top_layer_norm" ? stream.raw.real
                                                       : stream.normalised.real);
  }
  return values;
}

std::string differs(const TensorCase& one, const std::string& series, const std::vector<double>& found,
                    const std::string& name, double tolerance) {
  return fixtures::difference(torch::tensor(found, torch::kFloat64), one.at("output." + series + "." + name),
                              0, tolerance);
}

constexpr const char* kNames[] = {"real", "all", "per_real_token", "before_top_layer_norm",
                                  "std_normalised_unbiased"};

}  // namespace

class FixturesOutputShiftTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void fixtureSeries_data();
  void fixtureSeries();
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
    if (!place.name.starts_with("layers/")) continue;
    const TensorCase whole = fixtures::readCase(place);
    const auto layers = whole.json["configuration"]["encoder_layers"].get<std::int64_t>();
    const double random = whole.json["tolerance"]["random_series"],
                 adam = whole.json["tolerance"]["adam_series"];
    const TensorCase one = netOf(whole, id, layers);
    const auto lone = fixtures::loneStack(one, "none");
    setSigns(one, *lone);
    const StackShift signs = shiftOf(one, *lone, whole.json["scalars"]["delta"]);
    lone->store.zeroGradients();
    backward(one, *lone);
    const StackShift step = shiftOf(one, *lone, whole.json["scalars"]["adam_rate"]);
    std::map<std::string, std::vector<double>> perDepth;
    for (std::int64_t depth = 1; depth <= layers; ++depth) {
      const TensorCase net = netOf(whole, id, depth);
      const auto own = fixtures::loneStack(net, "none");
      backward(net, *own);
      const StackShift shift = shiftOf(net, *own, whole.json["scalars"]["adam_rate"]);
      for (const char* name : kNames) perDepth[name].push_back(seriesOf(shift, name).back());
    }
    for (const char* name : kNames) {
      for (const std::string& why : {differs(whole, id + ".random", seriesOf(signs, name), name, random),
                                     differs(whole, id + ".adam_one_net", seriesOf(step, name), name, adam),
                                     differs(whole, id + ".adam_per_depth", perDepth[name], name, adam)})
        QVERIFY2(why.empty(), (std::string(name) + ": " + why).c_str());
    }
    ++taken;
  }
  if (taken == 0) QSKIP("the fixtures are not here");
}

QTEST_APPLESS_MAIN(FixturesOutputShiftTest)
#include "tst_fixtures_output_shift.moc"
