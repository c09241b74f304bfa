// SPDX-License-Identifier: Apache-2.0
#include "core/init/xavier.h"

namespace fathom {

namespace {

// docs/initialisation.md §6: after Xavier, the lower half of fc1's rows is minus the upper half, the right
// half of fc2's columns minus the left half: with zero biases and relu the feed-forward sub-layer is linear
// at the start. Attention is untouched.
Status fillLookLinear(InitTarget& target) {
  FATHOM_CHECK(fillXavier(target));
  const at::NoGradGuard noGrad;
  const ParameterStore& store = target.model.parameters();
  for (const Parameter& parameter : store.parameters()) {
    const bool rows = parameter.info.role == ParameterRole::FeedForwardInput;
    if (!target.takes(parameter.info) || (!rows && parameter.info.role != ParameterRole::FeedForwardOutput))
      continue;
    const torch::Tensor value = store.value(parameter);
    const std::int64_t along = rows ? 0 : 1, half = value.size(along) / 2;
    value.narrow(along, half, half).copy_(value.narrow(along, 0, half).neg());
    if (target.report) {
      Json item;
      item["name"] = parameter.info.name;
      item["rule"] = "mirrored halves";
      item["value"] = -1;
      target.report->push_back(std::move(item));
    }
  }
  return {};
}

OptionRule refusedWith(const std::string& key, OptionClause::Test test, Json value, const char* reason) {
  return {.when = {{"init", OptionClause::Test::In, {"look_linear"}}, {key, test, {std::move(value)}}},
          .reason = reason,
          .keys = {"init", key}};
}

std::vector<OptionRule> lookLinearRules() {
  std::vector<OptionRule> rules;
  for (const std::string model : {"model.", "model.extra_layers."}) {
    rules.push_back(
        refusedWith(model + "feed_forward", OptionClause::Test::NotMultiple, 2,
                    "LookLinear mirrors halves of the feed-forward maps: its width must be even"));
    rules.push_back(refusedWith(model + "activation", OptionClause::Test::NotIn, "relu",
                                "LookLinear makes the feed-forward sub-layer linear only with ReLU"));
  }
  for (const std::string stack : {"encoder", "decoder", "extra"})
    rules.push_back(refusedWith(stack + ".residual", OptionClause::Test::NotIn, "post_ln",
                                "LookLinear is an initialisation of Post-LN: choose that residual scheme"));
  return rules;
}

}  // namespace

InitEntry lookLinearEntry() {
  return {.id = "look_linear",
          .title = "LookLinear",
          .reference = "Balduzzi et al. 2017; Admin §5.1",
          .rules = lookLinearRules,
          .fill = fillLookLinear};
}

}  // namespace fathom
