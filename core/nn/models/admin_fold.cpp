// SPDX-License-Identifier: Apache-2.0
#include "core/nn/models/admin_fold.h"

#include <vector>

#include "core/base/errors/error.h"

namespace fathom {

namespace {

using Weights = std::map<std::string, torch::Tensor>;

// The place that takes the first omega of a stack: names of tensors multiplied along their last dimension.
Result<std::vector<std::string>> inputOf(const std::string& stack, const Weights& weights) {
  if (stack == "encoder" && weights.count("embedding.layer_norm.weight") != 0)
    return std::vector<std::string>{"embedding.layer_norm.weight", "embedding.layer_norm.bias"};
  const std::string table = stack + ".embedding.token.weight";
  if (weights.count(table) != 0) return std::vector<std::string>{table};
  return usageError(
      Phrase::tr("the first omega of the %1 cannot be folded: its input table is shared or tied")(stack),
      Phrase::tr("only models with a layer norm on the embedded input, or with tables of their own, can be"));
}

std::vector<std::string> readersOf(SublayerKind kind) {
  if (kind == SublayerKind::SelfAttention) return {".query", ".key", ".value"};
  if (kind == SublayerKind::CrossAttention) return {".query"};
  return {".input"};
}

Status foldStack(const Model& admin, const StackDescription& stack, Weights& weights) {
  const std::string prefix = stackName(stack.kind);
  FATHOM_TRY(std::vector<std::string> below, inputOf(prefix, weights));
  for (std::int64_t layer = 0; layer < stack.layers; ++layer) {
    for (const SublayerKind kind : stack.sublayers) {
      const std::string name = prefix + ".layers." + std::to_string(layer) + "." + sublayerName(kind);
      const torch::Tensor omega = admin.parameters().value(name + ".omega").to(torch::kCPU, torch::kFloat64);
      if (omega.eq(0).any().item<bool>() || !omega.isfinite().all().item<bool>())
        return numericError(
            Phrase::tr("%1.omega holds 0 or a value that is not finite: it cannot be divided out")(name));
      const auto times = [&](const std::string& target, const torch::Tensor& factor) {
        torch::Tensor& value = weights.at(target);
        value = (value.to(torch::kFloat64) * factor).to(value.scalar_type());
      };
      for (const std::string& target : below) times(target, omega);
      for (const std::string& reader : readersOf(kind)) times(name + reader + ".weight", 1 / omega);
      below = {name + ".layer_norm.weight", name + ".layer_norm.bias"};
    }
  }
  return {};
}

}  // namespace

Result<Weights> foldAdmin(const Model& admin) {
  const at::NoGradGuard noGrad;
  Weights weights;
  for (const auto& [name, tensor] : admin.parameters().state())
    if (!name.ends_with(".omega")) weights[name] = tensor;
  for (const StackDescription& stack : admin.stacks())
    if (stack.residual == "admin") FATHOM_CHECK(foldStack(admin, stack, weights));
  return weights;
}

}  // namespace fathom
