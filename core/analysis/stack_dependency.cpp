// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/stack_dependency.h"

#include <exception>

#include "core/analysis/json_reals.h"

namespace fathom {

namespace {

StackDependency stackFromJson(const Json& json) {
  StackDependency stack;
  stack.stack = json.at("stack").get<std::string>();
  stack.residual = json.at("residual").get<std::string>();
  stack.sublayers = json.at("sublayers").get<std::vector<std::string>>();
  stack.tokens = json.at("tokens").get<std::int64_t>();
  stack.beta.sublayers = static_cast<std::int64_t>(stack.sublayers.size());
  stack.beta.meanTokenStd = realsFromJson(json.at("mean_token_std"));
  stack.beta.globalStd = realsFromJson(json.at("global_std"));
  stack.beta.biasShare = realsFromJson(json.at("bias_share"));
  stack.beta.largestResidual = realFromJson(json.at("largest_residual")).value();
  const std::size_t n = stack.sublayers.size();
  if (stack.beta.meanTokenStd.size() != n * (n + 1) || stack.beta.globalStd.size() != n * (n + 1) ||
      stack.beta.biasShare.size() != n)
    throw Failure(
        dataError(Phrase::tr("the map of the %1 has another size than its sub-layers")(stack.stack)));
  return stack;
}

// "encoder.layers.2.feed_forward" -> part "encoder.feed_forward", layer 2.
LayerValue ownBranch(const StackDependency& stack, std::size_t row) {
  const std::string& name = stack.sublayers[row];
  const std::string kind = name.substr(name.rfind('.') + 1);
  int before = 0;
  for (std::size_t i = 0; i < row; ++i) before += stack.sublayers[i].ends_with("." + kind) ? 1 : 0;
  const double beta = stack.beta.at(static_cast<std::int64_t>(row), static_cast<std::int64_t>(row) + 1);
  return {stack.stack + "." + kind, before, beta * beta};
}

}  // namespace

Json dependenciesToJson(const std::vector<StackDependency>& stacks) {
  Json list = Json::array();
  for (const StackDependency& stack : stacks) {
    list.push_back({{"stack", stack.stack},
                    {"residual", stack.residual},
                    {"sublayers", stack.sublayers},
                    {"tokens", stack.tokens},
                    {"mean_token_std", realsToJson(stack.beta.meanTokenStd)},
                    {"global_std", realsToJson(stack.beta.globalStd)},
                    {"bias_share", realsToJson(stack.beta.biasShare)},
                    {"largest_residual", jsonReal(stack.beta.largestResidual)}});
  }
  return {{"quantity", "beta_dependency"}, {"stacks", std::move(list)}};
}

Result<std::vector<StackDependency>> dependenciesFromJson(const Json& json) {
  try {
    std::vector<StackDependency> stacks;
    for (const Json& stack : json.at("stacks")) stacks.push_back(stackFromJson(stack));
    return stacks;
  } catch (const std::exception& e) {
    return dataError(Phrase::tr("the stored dependencies cannot be read: %1")(e.what()),
                     Phrase::tr("compute the analysis again"));
  }
}

Result<std::vector<LayerValue>> ownBranches(const Json& result, bool) {
  FATHOM_TRY(const std::vector<StackDependency> stacks, dependenciesFromJson(result));
  std::vector<LayerValue> values;
  for (const StackDependency& stack : stacks)
    for (std::size_t row = 0; row < stack.sublayers.size(); ++row) values.push_back(ownBranch(stack, row));
  return values;
}

}  // namespace fathom
