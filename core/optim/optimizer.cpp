// SPDX-License-Identifier: Apache-2.0
#include "core/optim/optimizer.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "core/base/errors/error.h"
#include "core/base/options/field_builder.h"
#include "core/nn/build_watch.h"
#include "core/nn/on_host.h"
#include "core/optim/gradient_clip.h"
#include "core/optim/lr_schedule.h"
#include "core/optim/rate_groups.h"

namespace fathom {

namespace {
const char kUpdates[] = "optimizer.updates";
std::string firstName(const std::string& name) {
  return name + ".first_moment";
}
std::string secondName(const std::string& name) {
  return name + ".second_moment";
}
std::string averageName(const std::string& name) {
  return name + ".average";
}
}  // namespace

Optimizer::Optimizer(std::vector<OptimizerParameter> parameters) : m_parameters(std::move(parameters)) {
  for (const OptimizerParameter& parameter : m_parameters) {
    const auto zeros = [&] {
      return filledTensor(parameter.tensor.sizes(), 0, parameter.tensor.detach().options());
    };
    m_slots.push_back({parameter, zeros(), zeros(), torch::Tensor(), std::nullopt});
  }
}

std::int64_t Optimizer::stateBytes() const {
  std::int64_t bytes = 0;
  for (const Slot& slot : m_slots)
    for (const torch::Tensor& tensor : {slot.firstMoment, slot.secondMoment, slot.average})
      if (tensor.defined()) bytes += static_cast<std::int64_t>(tensor.nbytes());
  return bytes;
}

void Optimizer::keepAverage(double decay) {
  m_averageDecay = decay;
  for (Slot& slot : m_slots)
    slot.average = decay > 0 ? slot.parameter.tensor.detach().clone() : torch::Tensor();
}

Status Optimizer::planSchedules(const OptionValues& options, std::int64_t totalUpdates) {
  std::map<std::pair<std::string, std::int64_t>, LrScheduleSettings> known;
  for (Slot& slot : m_slots) {
    const auto key = std::pair(slot.parameter.rateSchedule, slot.parameter.rateWarmup);
    if (key.first.empty()) continue;
    if (known.count(key) == 0) {
      OptionValues own = options;
      FATHOM_CHECK(own.set("lr_schedule", key.first));
      FATHOM_CHECK(own.set("lr_schedule.warmup", key.second));
      FATHOM_TRY(known[key], lrScheduleSettings(own, totalUpdates));
    }
    slot.schedule = known[key];
  }
  return {};
}

bool Optimizer::onDevice() const {
  return !m_slots.empty() && !isOnHost(m_slots.front().firstMoment);
}

double Optimizer::rateOf(const Slot& slot, double learningRate) const {
  const OptimizerParameter& parameter = slot.parameter;
  double rate = parameter.rateFactor;
  rate *= slot.schedule ? fathom::learningRate(*slot.schedule, m_updates - 1) : learningRate;
  if (!slot.schedule && m_updates <= parameter.rateWarmup)
    rate *= static_cast<double>(m_updates - 1) / static_cast<double>(parameter.rateWarmup);
  return rate;
}

void Optimizer::step(double learningRate, double gradientScale) {
  if (onDevice()) {
    const auto wide = m_slots.front().firstMoment.options().dtype(torch::kFloat64);
    stepOnDevice(learningRate, {at::full({}, gradientScale, wide), {}});
    return;
  }
  ++m_updates;
  std::vector<MomentJob> jobs;
  for (const Slot& slot : m_slots) {
    const OptimizerParameter& parameter = slot.parameter;
    if (!parameter.tensor.grad().defined()) continue;
    jobs.push_back({parameter.tensor, parameter.tensor.grad(), slot.firstMoment, slot.secondMoment,
                    rates(parameter, m_updates, rateOf(slot, learningRate), gradientScale)});
  }
  applyMomentUpdates(std::move(jobs));
  follow({});
}

std::vector<Optimizer::DeviceGroup>& Optimizer::deviceGroups() {
  if (!m_deviceGroups.empty()) return m_deviceGroups;
  const auto alike = [](const Slot& a, const Slot& b) {
    const auto key = [](const OptimizerParameter& p) {
      return std::tie(p.weightDecay, p.rateFactor, p.rateWarmup, p.rateSchedule);
    };
    return key(a.parameter) == key(b.parameter) && a.firstMoment.scalar_type() == b.firstMoment.scalar_type();
  };
  for (std::size_t i = 0; i < m_slots.size(); ++i) {
    const Slot& slot = m_slots[i];
    auto group = std::find_if(m_deviceGroups.begin(), m_deviceGroups.end(),
                              [&](const DeviceGroup& g) { return alike(m_slots[g.slot], slot); });
    if (group == m_deviceGroups.end()) group = m_deviceGroups.insert(group, DeviceGroup{i, {}});
    group->moments.add(slot.parameter.tensor, slot.firstMoment, slot.secondMoment);
  }
  return m_deviceGroups;
}

void Optimizer::stepOnDevice(double learningRate, DeviceScale scale) {
  const at::NoGradGuard noGrad;
  ++m_updates;
  scale.makeDivisor();
  for (DeviceGroup& group : deviceGroups()) {
    const Slot& slot = m_slots[group.slot];
    group.moments.apply(rates(slot.parameter, m_updates, rateOf(slot, learningRate), 1), scale);
  }
  follow(scale.leftOut);
}

void Optimizer::follow(const torch::Tensor& leftOut) {
  if (m_averageDecay <= 0) return;
  const at::NoGradGuard noGrad;
  torch::Tensor share;  // 0 where the update was left out
  if (leftOut.defined()) share = (1 - leftOut) * (1 - m_averageDecay);
  for (Slot& slot : m_slots) {
    const torch::Tensor now = slot.parameter.tensor.detach();
    if (share.defined())
      slot.average.lerp_(now, share.to(now.scalar_type()));
    else
      slot.average.lerp_(now, 1 - m_averageDecay);
  }
}

OptimizerState Optimizer::state() const {
  OptimizerState state;
  for (const Slot& slot : m_slots) {
    state[firstName(slot.parameter.name)] = slot.firstMoment.to(torch::kCPU).clone();
    state[secondName(slot.parameter.name)] = slot.secondMoment.to(torch::kCPU).clone();
    if (slot.average.defined())
      state[averageName(slot.parameter.name)] = slot.average.to(torch::kCPU).clone();
  }
  state[kUpdates] = at::full({}, m_updates, torch::kInt64);
  return state;
}

Status Optimizer::load(const OptimizerState& state) {
  const auto checked = [&](const std::string& name, const torch::Tensor& own) -> Status {
    const auto found = state.find(name);
    if (found == state.end()) return dataError(Phrase::tr("the checkpoint lacks optimiser state '%1'")(name));
    if (found->second.sizes() != own.sizes()) {
      return dataError(Phrase::tr("optimiser state '%1' has another shape than its parameter")(name));
    }
    return {};
  };
  const auto updates = state.find(kUpdates);
  if (updates == state.end())
    return dataError(Phrase::tr("the checkpoint lacks '%1'")(std::string(kUpdates)));
  for (const Slot& slot : m_slots) {
    FATHOM_CHECK(checked(firstName(slot.parameter.name), slot.firstMoment));
    FATHOM_CHECK(checked(secondName(slot.parameter.name), slot.secondMoment));
    if (slot.average.defined()) FATHOM_CHECK(checked(averageName(slot.parameter.name), slot.average));
  }
  for (Slot& slot : m_slots) {
    slot.firstMoment.copy_(state.find(firstName(slot.parameter.name))->second);
    slot.secondMoment.copy_(state.find(secondName(slot.parameter.name))->second);
    if (slot.average.defined()) slot.average.copy_(state.find(averageName(slot.parameter.name))->second);
  }
  m_updates = updates->second.item<std::int64_t>();
  return {};
}

AveragedWeights::AveragedWeights(Optimizer& optimizer) {
  if (!optimizer.averages()) return;
  const at::NoGradGuard noGrad;
  for (const Optimizer::Slot& slot : optimizer.m_slots) {
    const torch::Tensor parameter = slot.parameter.tensor.detach();
    m_own.emplace_back(parameter, parameter.clone());
    parameter.copy_(slot.average);
  }
}

AveragedWeights::~AveragedWeights() {
  const at::NoGradGuard noGrad;
  for (const auto& [parameter, own] : m_own) parameter.copy_(own);
}

Status loadAverages(const OptimizerState& state, const ParameterStore& store) {
  const at::NoGradGuard noGrad;
  for (const Leaf& leaf : store.leaves()) {
    if (!leaf.tensor.requires_grad()) continue;
    const auto found = state.find(averageName(leaf.name));
    if (found == state.end() || found->second.sizes() != leaf.tensor.sizes())
      return dataError(Phrase::tr("the checkpoint lacks the average of '%1'")(leaf.name));
    leaf.tensor.detach().copy_(found->second);
  }
  return {};
}

Result<std::vector<OptimizerParameter>> optimizerParameters(const OptionValues& options,
                                                            const ParameterStore& store) {
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
  FATHOM_CHECK(applyRateGroups(options.texts("optimizer.rate_groups"), parameters));
  return parameters;
}

Result<std::unique_ptr<Optimizer>> makeOptimizer(const OptionValues& options, const ParameterStore& store) {
  FATHOM_TRY(std::vector<OptimizerParameter> parameters, optimizerParameters(options, store));
  const std::string id = options.text("optimizer");
  const OptimizerEntry* entry = findEntry(optimizerEntries(), id);
  if (entry == nullptr) return usageError(Phrase::tr("unknown optimiser '%1'")(id));
  auto optimizer = entry->make(options, std::move(parameters));
  optimizer->keepAverage(options.real("optimizer.average_decay"));
  return optimizer;
}

std::vector<OptionField> optimOptionFields() {
  const std::vector<OptionField> shared = {
      choiceField("optimizer", "Optimiser", "Rule that turns gradients into updates.",
                  entryChoices(optimizerEntries())),
      realField("optimizer.beta1", "β₁", "Decay of the running mean of gradients.", 0.9).atLeast(0).below(1),
      realField("optimizer.beta2", "β₂", "Decay of the running mean of squared gradients.", 0.98)
          .atLeast(0)
          .below(1),
      realField("optimizer.eps", "ε", "Added to the root of the second moment.", 1e-8).above(0),
      realField("optimizer.weight_decay", "Weight decay", "Decoupled decay, scaled by the learning rate.",
                0.0)
          .atLeast(0)
          .off(0.0)
          .reference("fairseq; BERT App. A.2"),
      choiceField("optimizer.decay_parameters", "What decays",
                  "The translation recipes decay every parameter, BERT only maps and tables.",
                  {{"all", "All parameters"}, {"maps", "All but norms and biases"}})
          .reference("fairseq; BERT App. A.2"),
      listField("optimizer.rate_groups", "Rates of groups",
                "Parameters by the beginning of their names with a factor of the rate and perhaps a warm-up "
                "and "
                "a schedule of their own: encoder.=0.008:1000@linear.")
          .off(Json::array())
          .reference("DT-Fixup's released code, optimizers"),
      realField("optimizer.average_decay", "Exponential average",
                "Decay of the running average of the weights, which validation and later uses then read.",
                0.0)
          .atLeast(0)
          .below(1)
          .off(0.0)};
  return inGroup("Optimiser",
                 joinedFields({shared,
                               entryFields(optimizerEntries(), "optimizer",
                                           [](const OptimizerEntry& entry) { return entry.fields(); }),
                               lrScheduleOptionFields(), gradientClipOptionFields()}));
}

std::vector<OptionRule> optimOptionRules() {
  std::vector<OptionRule> rules = lrScheduleOptionRules();
  rules.push_back(
      {.when = {{"optimizer", OptionClause::Test::In, {"radam"}},
                {"optimizer.beta2", OptionClause::Test::AtMost, {0.66}}},
       .reason = "with so small a β₂ RAdam never trusts its second moment and takes no step at all",
       .keys = {"optimizer", "optimizer.beta2"}});
  return rules;
}

}  // namespace fathom
