// SPDX-License-Identifier: Apache-2.0
#include "core/init/dt_fixup.h"

#include <algorithm>
#include <cmath>

#include "core/base/errors/error.h"
#include "core/base/options/field_builder.h"
#include "core/init/tensor_fill.h"
#include "core/nn/models/model_choice.h"
#include "core/nn/residual/residual_scheme.h"

namespace fathom {

void InputNorm::add(const std::string& part, const torch::Tensor& states, const torch::Tensor& padding) {
  const at::NoGradGuard noGrad;
  double& largest = m_largest[part];
  if (states.size(1) == 0) return;
  torch::Tensor norms = states.to(torch::kFloat64).square().sum(-1).sqrt();  // [B, n]
  if (padding.defined()) norms = norms.masked_fill(padding, 0);
  const torch::Tensor rows = norms.amax(1);  // NaN where any row is
  const torch::Tensor counted = rows.masked_select(rows.isnan().logical_not());
  if (counted.numel() > 0) largest = std::max(largest, counted.max().item<double>());
}

double InputNorm::of(const std::string& part) const {
  const auto found = m_largest.find(part);
  return found == m_largest.end() ? 0 : found->second;
}

double InputNorm::released() const {
  double largest = 0;
  bool projected = false;
  for (const auto& [part, norm] : m_largest) {
    if (part.empty()) continue;
    projected = true;
    largest = std::max(largest, norm);
  }
  return projected ? largest : paper();
}

double dtFixupFactor(DtFixupForm form, double mu, std::int64_t layers) {
  const auto n = static_cast<double>(layers);
  if (form == DtFixupForm::Vanilla) return 1 / (2 * mu * std::sqrt(n));
  return 1 / std::sqrt(n * (4 * mu * mu + 2 * mu + 2));
}

void scaleDtFixup(InitTarget& target, StackKind stack, DtFixupForm form, double factor) {
  for (const Parameter& parameter : target.model.parameters().parameters()) {
    if (parameter.info.stack != stack) continue;
    switch (parameter.info.role) {
      case ParameterRole::RelationValue:
        if (form == DtFixupForm::Vanilla) break;
        [[fallthrough]];
      case ParameterRole::Value:
      case ParameterRole::AttentionOutput:
      case ParameterRole::FeedForwardInput:
      case ParameterRole::FeedForwardOutput:
        scaleBy(target, parameter, factor, "dt_fixup");
        break;
      default:
        break;
    }
  }
}

namespace {

class InputNormObserver : public ForwardObserver {
 public:
  explicit InputNormObserver(std::map<StackKind, InputNorm>& norms) : m_norms(norms) {}
  bool layerInputsAlone() const override { return true; }
  bool watchesFrozenParts() const override { return m_norms.contains(StackKind::Encoder); }
  void layerInput(StackKind stack, std::string_view part, const torch::Tensor& states,
                  const torch::Tensor& padding) override {
    const auto found = m_norms.find(stack);
    if (found != m_norms.end()) found->second.add(std::string(part), states, padding);
  }

 private:
  std::map<StackKind, InputNorm>& m_norms;
};

// Unnormalised stacks: the ones the method is for.
std::vector<StackDescription> fixedStacks(const InitTarget& target) {
  std::vector<StackDescription> stacks;
  for (const StackDescription& stack : target.model.stacks()) {
    const bool chosen = target.stacks.empty() || target.stacks.count(stack.kind) != 0;
    if (chosen && stack.residual == "unnormalised") stacks.push_back(stack);
  }
  return stacks;
}

// Xavier-normal, gain 1, for whatever has two dimensions; biases as the released code leaves them (uniform up
// to one over the root of the map's inputs) or 0 (docs/initialisation.md §5.1).
Status fillDtFixup(InitTarget& target) {
  const ParameterStore& store = target.model.parameters();
  const bool zeroBiases = target.options.text("init.dt_fixup.biases") == "zero";
  for (const Parameter& parameter : store.parameters()) {
    if (!target.takes(parameter.info)) continue;
    const torch::Tensor value = store.value(parameter);
    if (value.dim() >= 2) {
      fillNormal(target, parameter, xavierDeviation(value.size(1), value.size(0), 1));
      continue;
    }
    const std::string& name = parameter.info.name;
    const Parameter* map = parameter.info.role != ParameterRole::Bias || !name.ends_with(".bias")
                               ? nullptr
                               : store.find(name.substr(0, name.size() - 4) + "weight");
    if (map == nullptr || zeroBiases || map->info.role == ParameterRole::Recurrent) {
      fillDeclared(target, parameter);
    } else {
      fillUniform(target, parameter, 1 / std::sqrt(static_cast<double>(store.value(*map).size(1))));
    }
  }
  return {};
}

// Largest norms over all training batches, eval mode.
Result<std::map<StackKind, InputNorm>> measureInputs(const InitTarget& target,
                                                     const std::vector<StackDescription>& stacks) {
  std::map<StackKind, InputNorm> norms;
  for (const StackDescription& stack : stacks) norms[stack.kind];
  if (!target.profileForward)
    return usageError(
        Phrase::tr("DT-Fixup measures its input norm on training data, and there are none here"),
        Phrase::tr("name data.train, or set init.dt_fixup.mu=given and init.dt_fixup.mu_value"));
  const std::int64_t asked = target.options.integer("init.dt_fixup.mu_batches");
  const std::int64_t all = std::max<std::int64_t>(target.trainingBatches, 1);
  const std::int64_t batches = asked > 0 ? std::min(asked, all) : all;
  InputNormObserver observer(norms);
  StepContext context;
  context.seed = target.seed;
  context.observer = &observer;
  const at::NoGradGuard noGrad;
  if (target.passBegins) target.passBegins(batches);
  for (std::int64_t batch = 0; batch < batches; ++batch) target.profileForward(batch, context);
  return norms;
}

void reportMu(InitTarget& target, StackKind stack, const InputNorm& norm, double mu, double factor) {
  if (target.report == nullptr) return;
  Json item;
  item["name"] = std::string(stackName(stack)) + " input";
  item["rule"] = "mu";
  item["value"] = jsonReal(mu);
  item["stack"] = stackName(stack);
  item["factor"] = jsonReal(factor);
  for (const auto& [part, largest] : norm.parts())
    item["parts"][part.empty() ? "layer input" : part] = jsonReal(largest);
  target.report->push_back(std::move(item));
}

Status calibrateDtFixup(InitTarget& target) {
  const std::vector<StackDescription> stacks = fixedStacks(target);
  if (stacks.empty())
    return usageError(Phrase::tr("init=dt_fixup needs a stack without normalisation"),
                      Phrase::tr("choose the scheme unnormalised"));
  const std::string rule = target.options.text("init.dt_fixup.mu");
  std::map<StackKind, InputNorm> norms;
  if (rule != "given") {
    FATHOM_TRY(norms, measureInputs(target, stacks));
  }
  for (const StackDescription& stack : stacks) {
    const InputNorm& norm = norms[stack.kind];
    const double mu = rule == "given"      ? target.options.real("init.dt_fixup.mu_value")
                      : rule == "released" ? norm.released()
                                           : norm.paper();
    if (!(mu > 0) || !std::isfinite(mu))
      return numericError(Phrase::tr("the input norm mu of the %1 layers is %2, a number above 0 is needed")(
          std::string(stackName(stack.kind)), mu));
    const std::string form = target.options.text("init.dt_fixup.form");
    const bool relational =
        form == "relational" || (form == "by_attention" && stack.attention == "relation_aware");
    const DtFixupForm which = relational ? DtFixupForm::Relational : DtFixupForm::Vanilla;
    const double factor = dtFixupFactor(which, mu, stack.layers);
    reportMu(target, stack.kind, norm, mu, factor);
    scaleDtFixup(target, stack.kind, which, factor);
  }
  return {};
}

std::vector<OptionField> dtFixupFields() {
  return {
      choiceField(
          "init.dt_fixup.form", "Factor", "Relational: (N(4µ²+2µ+2))^(-1/2); vanilla: N^(-1/2)/(2µ).",
          {{"by_attention", "As the attention is"}, {"relational", "Relational"}, {"vanilla", "Vanilla"}})
          .reference("DT-Fixup §3"),
      choiceField("init.dt_fixup.mu", "Where µ is measured",
                  "Paper: the vectors that enter layer 1. Released code: the states before their "
                  "projections, where there are such.",
                  {{"paper", "At layer 1 (paper)"},
                   {"released", "Before the projections (released code)"},
                   {"given", "Given, without a pass"}})
          .reference("DT-Fixup §3; its released code, trainer"),
      realField("init.dt_fixup.mu_value", "µ", "Largest norm of an input vector, from an earlier pass.", 0.0)
          .atLeast(0)
          .when("init.dt_fixup.mu", {"given"}),
      integerField("init.dt_fixup.mu_batches", "Batches of the µ pass",
                   "Training batches that are looked at; 0 takes all, as the released code does.", 0)
          .unit("batches")
          .atLeast(0)
          .when("init.dt_fixup.mu", {"paper", "released"}),
      choiceField("init.dt_fixup.biases", "Biases",
                  "The released code leaves them uniform up to one over the root of the inputs.",
                  {{"torch_default", "Small random (released code)"}, {"zero", "Zero"}})
          .reference("DT-Fixup's released code, optimizers")};
}

std::vector<OptionRule> dtFixupRules() {
  using Test = OptionClause::Test;
  const OptionClause chosen{"init", Test::In, {"dt_fixup"}};
  const char* plain = "DT-Fixup stands in for normalisation: choose the residual scheme Unnormalised";
  const auto layersOnStates = [](const ModelEntry& model) {
    return !model.hasStack(StackKind::Decoder) && !model.gives(Representation::States);
  };
  const OptionClause otherStack = modelThat([&](const ModelEntry& model) { return !layersOnStates(model); });
  const OptionClause encoderAlone = modelThat(
      [&](const ModelEntry& model) { return layersOnStates(model) && !model.hasStack(StackKind::Extra); });
  return {{{chosen, otherStack},
           "DT-Fixup is for encoder layers on top of given or pre-trained states: choose extra layers",
           {"init", "model"}},
          {{chosen, encoderAlone, {"encoder.residual", Test::NotIn, {"unnormalised"}}},
           plain,
           {"init", "encoder.residual"}},
          {{chosen, {"extra.residual", Test::NotIn, {"unnormalised"}}}, plain, {"init", "extra.residual"}},
          {{chosen, {"init.dt_fixup.mu", Test::In, {"given"}}, {"init.dt_fixup.mu_value", Test::AtMost, {0}}},
           "DT-Fixup needs µ: a pass over the training data, or a value above 0",
           {"init.dt_fixup.mu", "init.dt_fixup.mu_value"}}};
}

}  // namespace

InitEntry dtFixupEntry() {
  return {.id = "dt_fixup",
          .title = "DT-Fixup",
          .reference = "Xu et al. 2021, DT-Fixup",
          .fields = dtFixupFields,
          .rules = dtFixupRules,
          .fill = fillDtFixup,
          .calibrate = calibrateDtFixup,
          .depthDependent = true};
}

}  // namespace fathom
