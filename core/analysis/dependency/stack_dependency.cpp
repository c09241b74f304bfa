// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/dependency/stack_dependency.h"

#include <exception>

#include "core/base/json/json_fields.h"

namespace fathom {

template <typename Io>
void jsonMembers(Io& io, StackDependency& stack) {
  BetaDependency& beta = stack.beta;
  io("stack", stack.stack)("residual", stack.residual)("sublayers", stack.sublayers)("tokens", stack.tokens);
  io("mean_token_std", beta.meanTokenStd)("global_std", beta.globalStd)("bias_share", beta.biasShare);
  io("largest_residual", beta.largestResidual);
}

namespace {

void checkSize(StackDependency& stack) {
  const std::size_t n = stack.sublayers.size();
  stack.beta.sublayers = static_cast<std::int64_t>(n);
  if (stack.beta.meanTokenStd.size() != n * (n + 1) || stack.beta.globalStd.size() != n * (n + 1) ||
      stack.beta.biasShare.size() != n)
    throw Failure(
        dataError(Phrase::tr("the map of the %1 has another size than its sub-layers")(stack.stack)));
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
  return {{"quantity", "beta_dependency"}, {"stacks", jsonOf(stacks)}};
}

Result<std::vector<StackDependency>> dependenciesFromJson(const Json& json) {
  try {
    std::vector<StackDependency> stacks;
    readJson(json.at("stacks"), stacks);
    for (StackDependency& stack : stacks) checkSize(stack);
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
