// SPDX-License-Identifier: Apache-2.0
// Every attention with every score chain and every residual scheme that the options allow, on a device
// against the processor: losses and gradients of three updates.
#include <algorithm>
#include <map>
#include <utility>

#include "core/init/initialisation.h"
#include "core/kernels/device_address.h"
#include "core/nn/residual/residual_scheme.h"
#include "core/optim/optimizer.h"
#include "core/train/parts/run_options.h"
#include "tests/device/device_checks.h"
#include "tests/device/stack_options.h"
#include "tests/torch/support_axis_kinds.h"

namespace fathom::device_checks {

using namespace fathom::test;

OptionValues stackOptions(const std::vector<std::string>& assignments) {
  static const OptionSchema schema = [] {
    std::vector<OptionField> fields = nnOptionFields();
    std::vector<OptionRule> rules = nnOptionRules();
    for (const auto& more : {initOptionFields(), optimOptionFields()})
      fields.insert(fields.end(), more.begin(), more.end());
    for (const auto& more : {initOptionRules(), optimOptionRules()})
      rules.insert(rules.end(), more.begin(), more.end());
    return OptionSchema(fields, rules);
  }();
  OptionValues values(schema);
  for (const std::string& assignment : assignments) values.setText(assignment).value();
  return values;
}

namespace {

// `slack`: rounding grows with every update, and Adam divides a gradient by itself.
void compareGradients(const Model& here, const Model& there, const std::string& what, double slack,
                      Comparison& comparison) {
  const double tolerance = std::exchange(comparison.tolerance, slack * comparison.tolerance);
  for (const Parameter& parameter : here.parameters().parameters()) {
    torch::Tensor expected = here.parameters().gradient(parameter);
    torch::Tensor got = there.parameters().gradient(parameter.info.name);
    if (!expected.defined() && !got.defined()) continue;
    // What nothing reaches has no gradient, or one of zeros.
    if (!expected.defined()) expected = at::zeros_like(got);
    if (!got.defined()) got = at::zeros_like(expected);
    comparison.close(expected, got, what + ": " + parameter.info.name);
  }
  comparison.tolerance = tolerance;
}

void compareStack(const AxisKind& kind, const OptionValues& options, const torch::TensorOptions& numbers,
                  const std::string& what, Comparison& comparison) {
  std::unique_ptr<Model> models[2];
  std::unique_ptr<Optimizer> optimizers[2];
  for (int side = 0; side < 2; ++side)
    models[side] = axisNetwork(kind, options, side == 0 ? numbers : numbers.device(device()));
  fillAxisNetwork(*models[0], kind, options);
  std::map<std::string, torch::Tensor> values;
  for (const auto& [name, value] : models[0]->parameters().state()) values[name] = value;
  models[1]->parameters().load(values).value();
  for (int side = 0; side < 2; ++side)
    optimizers[side] = makeOptimizer(options, models[side]->parameters()).value();
  for (int update = 0; update < 3; ++update) {
    StepContext context;
    context.training = true;
    context.update = update;
    torch::Tensor losses[2];
    for (int side = 0; side < 2; ++side) {
      models[side]->parameters().zeroGradients();
      losses[side] = kind.loss(*models[side], context);
      losses[side].backward();
    }
    const std::string when = what + ", update " + std::to_string(update + 1);
    comparison.close(losses[0], losses[1], when + ": loss");
    compareGradients(*models[0], *models[1], when, update == 0 ? 1 : 10, comparison);
    for (const auto& optimizer : optimizers) optimizer->step(1e-3);
  }
}

}  // namespace

int checkStacks(const Words& words) {
  if (words.size() < 2 || (words[0] != "float64" && words[0] != "float32")) {
    std::fprintf(stderr, "usage: device_checks stacks float64|float32 DROPOUT [EVERY [FIRST]]\n");
    return 2;
  }
  const bool wide = words[0] == "float64";
  const int every = words.size() > 2 ? std::max(1, std::stoi(words[2])) : 1;
  const int first = words.size() > 3 ? std::stoi(words[3]) : 0;
  Comparison comparison;
  static_cast<void>(device());
  // A card adds up in another order.
  comparison.tolerance = (wide ? 1e-12 : 5e-4) * (deviceStandsIn() ? 1 : wide ? 1000 : 10);
  int place = 0, stacks = 0;
  for (const AxisKind& kind : axisKinds())
    for (const ResidualEntry& scheme : residualEntries())
      for (const char* chain : kAxisChains) {
        if (place++ % every != first % every) continue;
        auto assignments = axisAssignments(kind, scheme.id, chain, "by_scheme");
        for (const char* key : {"model.dropout=", "model.attention_dropout=", "model.extra_layers.dropout="})
          assignments.push_back(key + words[1]);
        const OptionValues options = stackOptions(assignments);
        if (!options.check().ok()) continue;
        ++stacks;
        compareStack(kind, options, torch::TensorOptions(wide ? torch::kFloat64 : torch::kFloat32),
                     std::string(kind.name) + ", " + scheme.id + ", chain " + chain, comparison);
      }
  comparison.report(std::to_string(stacks) + " stacks, " + words[0] + ", dropout " + words[1]);
  return comparison.failures > 0 || stacks == 0 ? 1 : 0;
}

}  // namespace fathom::device_checks
