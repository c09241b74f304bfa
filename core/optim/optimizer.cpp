// SPDX-License-Identifier: Apache-2.0
#include "core/optim/optimizer.h"

#include <set>

#include "core/base/error.h"
#include "core/nn/field_builder.h"
#include "core/optim/gradient_clip.h"
#include "core/optim/lr_schedule.h"

namespace fathom {

namespace {
const char kUpdates[] = "optimizer.updates";
std::string firstName(const std::string& name) {
  return name + ".first_moment";
}
std::string secondName(const std::string& name) {
  return name + ".second_moment";
}
}  // namespace

Optimizer::Optimizer(std::vector<OptimizerParameter> parameters) : m_parameters(std::move(parameters)) {
  for (const OptimizerParameter& parameter : m_parameters) {
    m_slots.push_back({parameter, at::zeros_like(parameter.tensor.detach(), at::MemoryFormat::Contiguous),
                       at::zeros_like(parameter.tensor.detach(), at::MemoryFormat::Contiguous)});
  }
}

void Optimizer::step(double learningRate, double gradientScale) {
  ++m_updates;
  for (Slot& slot : m_slots) {
    if (!slot.parameter.tensor.grad().defined()) continue;
    update(slot, m_updates, learningRate * slot.parameter.rateFactor, gradientScale);
  }
}

OptimizerState Optimizer::state() const {
  OptimizerState state;
  for (const Slot& slot : m_slots) {
    state[firstName(slot.parameter.name)] = slot.firstMoment.to(torch::kCPU).clone();
    state[secondName(slot.parameter.name)] = slot.secondMoment.to(torch::kCPU).clone();
  }
  state[kUpdates] = at::full({}, m_updates, torch::kInt64);
  return state;
}

Status Optimizer::load(const OptimizerState& state) {
  const auto checked = [&](const std::string& name, const torch::Tensor& own) -> Status {
    const auto found = state.find(name);
    if (found == state.end()) return dataError("the checkpoint lacks optimiser state '" + name + "'");
    if (found->second.sizes() != own.sizes()) {
      return dataError("optimiser state '" + name + "' has another shape than its parameter");
    }
    return {};
  };
  const auto updates = state.find(kUpdates);
  if (updates == state.end()) return dataError("the checkpoint lacks '" + std::string(kUpdates) + "'");
  for (const Slot& slot : m_slots) {
    FATHOM_CHECK(checked(firstName(slot.parameter.name), slot.firstMoment));
    FATHOM_CHECK(checked(secondName(slot.parameter.name), slot.secondMoment));
  }
  for (Slot& slot : m_slots) {
    slot.firstMoment.copy_(state.find(firstName(slot.parameter.name))->second);
    slot.secondMoment.copy_(state.find(secondName(slot.parameter.name))->second);
  }
  m_updates = updates->second.item<std::int64_t>();
  return {};
}

Result<std::unique_ptr<Optimizer>> makeOptimizer(const OptionValues& options, const ParameterStore& store) {
  const double weightDecay = options.real("optimizer.weight_decay");
  const bool mapsOnly = options.text("optimizer.decay_parameters") == "maps";
  std::set<std::size_t> exempt;  // leaves of norms and biases; the parts of a leaf are of one kind
  for (const Parameter& parameter : store.parameters()) {
    const ParameterRole role = parameter.info.role;
    const bool map =
        role != ParameterRole::Bias && role != ParameterRole::NormWeight && role != ParameterRole::NormBias;
    if (mapsOnly && !map) exempt.insert(parameter.leaf);
  }
  std::vector<OptimizerParameter> parameters;
  for (std::size_t i = 0; i < store.leaves().size(); ++i) {
    const Leaf& leaf = store.leaves()[i];
    if (!leaf.tensor.requires_grad()) continue;
    parameters.push_back({leaf.name, leaf.tensor, exempt.count(i) ? 0 : weightDecay, 1});
  }
  const std::string id = options.text("optimizer");
  for (const OptimizerEntry& entry : optimizerEntries()) {
    if (entry.id == id) return entry.make(options, std::move(parameters));
  }
  return usageError("unknown optimiser '" + id + "'");
}

std::vector<OptionField> optimOptionFields() {
  std::vector<OptionChoice> choices;
  for (const OptimizerEntry& entry : optimizerEntries()) choices.push_back({entry.id, entry.title});
  std::vector<OptionField> fields = {
      FieldBuilder("optimizer", OptionType::Choice, choices[0].id)
          .title("Optimiser")
          .help("Rule that turns gradients into updates.")
          .choices(choices)
          .group("Optimiser"),
      FieldBuilder("optimizer.beta1", OptionType::Real, 0.9)
          .title("β₁")
          .help("Decay of the running mean of gradients.")
          .atLeast(0)
          .below(1)
          .group("Optimiser"),
      FieldBuilder("optimizer.beta2", OptionType::Real, 0.98)
          .title("β₂")
          .help("Decay of the running mean of squared gradients.")
          .atLeast(0)
          .below(1)
          .group("Optimiser"),
      FieldBuilder("optimizer.eps", OptionType::Real, 1e-8)
          .title("ε")
          .help("Added to the root of the second moment.")
          .above(0)
          .group("Optimiser"),
      FieldBuilder("optimizer.weight_decay", OptionType::Real, 0.0)
          .title("Weight decay")
          .help("Decoupled decay, scaled by the learning rate.")
          .atLeast(0)
          .off(0.0)
          .reference("transformers.md §2.1")
          .group("Optimiser"),
      FieldBuilder("optimizer.decay_parameters", OptionType::Choice, "all")
          .title("What decays")
          .help("The translation recipes decay every parameter, BERT only maps and tables.")
          .choices({{"all", "All parameters"}, {"maps", "All but norms and biases"}})
          .reference("transformers.md §2.1")
          .group("Optimiser")};
  for (const OptimizerEntry& entry : optimizerEntries()) {
    for (OptionField& field : entry.fields()) {
      field.group = "Optimiser";
      field.enabledWhen.push_back({"optimizer", OptionClause::Test::In, {Json(entry.id)}});
      fields.push_back(std::move(field));
    }
  }
  for (OptionField& field : lrScheduleOptionFields()) fields.push_back(std::move(field));
  for (OptionField& field : gradientClipOptionFields()) fields.push_back(std::move(field));
  return fields;
}

std::vector<OptionRule> optimOptionRules() {
  return lrScheduleOptionRules();
}

}  // namespace fathom
