// SPDX-License-Identifier: Apache-2.0
#include "core/init/admin_profile.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/init/xavier.h"
#include "core/nn/models/model_choice.h"
#include "core/nn/residual/residual_scheme.h"

namespace fathom {

namespace {

double populationVariance(const torch::Tensor& x) {
  return x.to(torch::kFloat64).var(false).item<double>();
}

// Sets omega sub-layer by sub-layer while a forward runs. Sums of variances over batches are kept per
// sub-layer.
class Profiler : public ForwardObserver {
 public:
  Profiler(Model& model, const std::vector<StackKind>& stacks, ProfileRule rule)
      : m_model(model), m_rule(rule) {
    for (const StackKind stack : stacks) {
      State& state = m_states[stack];
      const auto count = static_cast<std::size_t>(model.residual(stack).sublayerCount());
      state.input.assign(count, 0);
      state.branch.assign(count, 0);
      state.shortcut.assign(count, 0);
      state.omega.assign(count, 1);
    }
  }

  void beginBatch() {
    for (auto& [stack, state] : m_states) state.ratio = 1;
    ++m_batches;
  }

  void beforeJoin(const SublayerSite& site, const torch::Tensor& x, const torch::Tensor& branch) override {
    const auto found = m_states.find(site.stack);
    if (found == m_states.end()) return;
    State& state = found->second;
    const auto i = static_cast<std::size_t>(site.index);
    const at::NoGradGuard noGrad;
    torch::Tensor omega =
        m_model.residual(site.stack).sublayer(site.layer, site.sublayer).terms().shortcut.detach();
    state.omega[i] = m_rule == ProfileRule::Code ? state.ratio : 1.0;
    omega.fill_(state.omega[i]);
    state.input[i] += populationVariance(x);
    state.branch[i] += populationVariance(branch);
    state.shortcut[i] += populationVariance(x * omega);
    const auto batches = static_cast<double>(m_batches);
    state.ratio = std::sqrt((state.shortcut[i] + state.branch[i]) / batches);
  }

  StackProfile finish(StackKind stack) {
    const State& state = m_states.at(stack);
    StackProfile profile;
    profile.stack = stack;
    const auto batches = static_cast<double>(m_batches);
    double sum = 0;
    for (std::size_t i = 0; i < state.omega.size(); ++i) {
      profile.omega.push_back(m_rule == ProfileRule::Code ? state.omega[i] : std::sqrt(sum));
      profile.inputVariance.push_back(state.input[i] / batches);
      profile.branchVariance.push_back(state.branch[i] / batches);
      sum += profile.branchVariance.back();
    }
    return profile;
  }

 private:
  struct State {
    std::vector<double> input, branch, shortcut, omega;
    double ratio = 1;
  };
  Model& m_model;
  ProfileRule m_rule;
  std::map<StackKind, State> m_states;
  std::int64_t m_batches = 0;
};

void writeOmega(Model& model, const StackProfile& profile) {
  const at::NoGradGuard noGrad;
  ResidualScheme& scheme = model.residual(profile.stack);
  const auto perLayer = static_cast<std::int64_t>(scheme.setup().sublayers.size());
  for (std::size_t i = 0; i < profile.omega.size(); ++i) {
    const auto index = static_cast<std::int64_t>(i);
    scheme.sublayer(index / perLayer, index % perLayer).terms().shortcut.detach().fill_(profile.omega[i]);
  }
}

}  // namespace

Result<std::vector<StackProfile>> profileAdmin(Model& model, const std::vector<StackKind>& stacks,
                                               ProfileRule rule, std::int64_t batches, std::uint64_t seed,
                                               const ProfileForward& forward) {
  if (!forward)
    return usageError(Phrase::tr("the Admin profile pass needs a training batch"),
                      Phrase::tr("name data.train, or choose another rule for omega"));
  Profiler profiler(model, stacks, rule);
  {
    const at::NoGradGuard noGrad;
    StepContext context;
    context.seed = seed;
    context.training = true;
    context.observer = &profiler;
    for (std::int64_t batch = 0; batch < batches; ++batch) {
      profiler.beginBatch();
      context.microBatch = batch;
      forward(batch, context);
    }
  }
  std::vector<StackProfile> profiles;
  for (const StackKind stack : stacks) {
    profiles.push_back(profiler.finish(stack));
    const bool finite = std::all_of(profiles.back().omega.begin(), profiles.back().omega.end(),
                                    [](double omega) { return std::isfinite(omega); });
    if (!finite) {
      return numericError(Phrase::tr("the Admin profile pass met a value that is not finite in the %1")(
          std::string(stackName(stack))));
    }
    writeOmega(model, profiles.back());
  }
  return profiles;
}

namespace {

// Stacks of the target whose scheme is Admin with omega = profile.
std::vector<StackKind> profiledStacks(const InitTarget& target) {
  std::vector<StackKind> stacks;
  for (const StackDescription& stack : target.model.stacks()) {
    const bool chosen = target.stacks.empty() || target.stacks.count(stack.kind) != 0;
    const std::string key = std::string(stackOptions(stack.kind)) + ".residual.admin.omega";
    if (chosen && stack.residual == "admin" && target.options.text(key) == "profile")
      stacks.push_back(stack.kind);
  }
  return stacks;
}

void reportProfiles(const std::vector<StackProfile>& profiles, Json* report) {
  if (!report) return;
  for (const StackProfile& profile : profiles) {
    for (std::size_t i = 0; i < profile.omega.size(); ++i) {
      Json item;
      item["name"] = std::string(stackName(profile.stack)) + " sub-layer " + std::to_string(i + 1);
      item["rule"] = "omega";
      item["value"] = jsonReal(profile.omega[i]);
      item["stack"] = stackName(profile.stack);
      item["index"] = i + 1;  // 1-based, as in the released profile files
      item["input_variance"] = jsonReal(profile.inputVariance[i]);
      item["branch_variance"] = jsonReal(profile.branchVariance[i]);
      report->push_back(std::move(item));
    }
  }
}

// Stacks may differ in rule and number of batches: each distinct pair is one pass, encoder first.
Status calibrateAdmin(InitTarget& target) {
  const std::vector<StackKind> stacks = profiledStacks(target);
  const auto described = target.model.stacks();
  if (std::none_of(described.begin(), described.end(),
                   [](const auto& stack) { return stack.residual == "admin"; })) {
    return usageError(Phrase::tr("init=admin_profile needs a stack whose residual scheme is admin"));
  }
  for (std::size_t i = 0; i < stacks.size();) {
    const auto setting = [&](StackKind stack, const char* field) {
      return std::string(stackOptions(stack)) + ".residual.admin." + field;
    };
    const auto rule = [&](StackKind stack) { return target.options.text(setting(stack, "profile_rule")); };
    const auto batches = [&](StackKind stack) {
      return target.options.integer(setting(stack, "profile_batches"));
    };
    std::vector<StackKind> together = {stacks[i]};
    while (++i < stacks.size() && rule(stacks[i]) == rule(together[0]) &&
           batches(stacks[i]) == batches(together[0])) {
      together.push_back(stacks[i]);
    }
    const ProfileRule which = rule(together[0]) == "paper" ? ProfileRule::Paper : ProfileRule::Code;
    FATHOM_TRY(const std::vector<StackProfile> profiles,
               profileAdmin(target.model, together, which, batches(together[0]), target.seed,
                            target.profileForward));
    reportProfiles(profiles, target.report);
  }
  return {};
}

std::vector<OptionRule> adminProfileRules() {
  std::vector<OptionRule> rules;
  std::set<std::vector<StackKind>> seen;
  for (const ModelEntry& entry : modelEntries()) {
    if (!seen.insert(entry.stacks).second) continue;
    const auto alike = [&](const ModelEntry& model) { return model.stacks == entry.stacks; };
    OptionRule rule{.when = {{"init", OptionClause::Test::In, {"admin_profile"}}, modelThat(alike)},
                    .reason =
                        "the Admin profile needs a stack whose residual scheme is Admin: without "
                        "omega and layer norm there is "
                        "nothing to profile",
                    .keys = {"init"}};
    for (const StackKind stack : entry.stacks) {
      rule.keys.push_back(stackName(stack) + std::string(".residual"));
      rule.when.push_back({rule.keys.back(), OptionClause::Test::NotIn, {"admin"}});
    }
    rules.push_back(std::move(rule));
  }
  for (const std::string stack : {"encoder", "decoder", "extra"}) {
    rules.push_back(
        {.when = {{"init", OptionClause::Test::NotIn, {"admin_profile", "by_scheme"}},
                  {stack + ".residual.admin.omega", OptionClause::Test::In, {"profile"}}},
         .reason =
             "omega is to be measured in a profile pass, which this initialisation does not make: choose the "
             "Admin "
             "profile, or a formula for omega",
         .keys = {"init", stack + ".residual.admin.omega"}});
  }
  return rules;
}

}  // namespace

InitEntry adminProfileEntry() {
  return {.id = "admin_profile",
          .title = "Xavier, then Admin profile",
          .reference = "Admin §4.3",
          .rules = adminProfileRules,
          .fill = fillXavier,
          .calibrate = calibrateAdmin};
}

}  // namespace fathom
