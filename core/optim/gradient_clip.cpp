// SPDX-License-Identifier: Apache-2.0
#include "core/optim/gradient_clip.h"

#include <ATen/ops/_foreach_norm.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/base/options/field_builder.h"
#include "core/kernels/kernel_way.h"
#include "core/nn/parallel_for.h"
#include "core/optim/optimizer_loops.h"

namespace fathom {

namespace {

constexpr std::int64_t kClipBlock = 1 << 15;
constexpr KernelWays kSquares{.lanes = KernelNeeds{.formats = {torch::kFloat32, torch::kFloat64}}};

struct Block {
  const torch::Tensor* gradient;
  std::int64_t begin, count;
};

double blockSum(const Block& block) {
  if (block.gradient->scalar_type() == torch::kFloat32)
    return sumOfSquares(block.gradient->const_data_ptr<float>() + block.begin, block.count);
  return sumOfSquares(block.gradient->const_data_ptr<double>() + block.begin, block.count);
}

// Blocks of fixed size of all tensors, added up in order: the same sum for any number of threads.
double squaredSum(const std::vector<torch::Tensor>& gradients) {
  std::vector<Block> blocks;
  for (const torch::Tensor& gradient : gradients) {
    const std::int64_t count = gradient.numel();
    for (std::int64_t begin = 0; begin < count; begin += kClipBlock)
      blocks.push_back({&gradient, begin, std::min(kClipBlock, count - begin)});
  }
  std::vector<double> sums(blocks.size());
  parallelFor(0, static_cast<std::int64_t>(blocks.size()), 1, [&](std::int64_t begin, std::int64_t end) {
    for (auto b = static_cast<std::size_t>(begin); b < static_cast<std::size_t>(end); ++b)
      sums[b] = blockSum(blocks[b]);
  });
  double total = 0;
  for (const double sum : sums) total += sum;
  return total;
}

// Norm of gradients that the processor does not hold: as many operators for a thousand tensors as for one,
// since each is a launch on a device.
torch::Tensor normElsewhere(const std::vector<torch::Tensor>& gradients) {
  const std::vector<torch::Tensor> norms = at::_foreach_norm(gradients, 2, torch::kFloat64);
  return at::linalg_vector_norm(torch::stack(norms));
}

}  // namespace

double gradientNorm(const std::vector<torch::Tensor>& parameters) {
  std::vector<torch::Tensor> onCpu, elsewhere;
  for (const torch::Tensor& parameter : parameters) {
    const torch::Tensor gradient = parameter.grad();
    if (!gradient.defined()) continue;
    if (wayOf(kSquares, gradient) == KernelWay::Lanes) {
      onCpu.push_back(gradient.contiguous());
    } else {
      elsewhere.push_back(gradient);
    }
  }
  const double own = squaredSum(onCpu);
  if (elsewhere.empty()) return std::sqrt(own);
  const auto other = normElsewhere(elsewhere).item<double>();
  return std::sqrt(own + other * other);
}

torch::Tensor gradientNormOnDevice(const std::vector<torch::Tensor>& parameters) {
  const at::NoGradGuard noGrad;
  std::vector<torch::Tensor> gradients;
  for (const torch::Tensor& parameter : parameters)
    if (parameter.grad().defined()) gradients.push_back(parameter.grad());
  return gradients.empty() ? torch::Tensor() : normElsewhere(gradients);
}

double gradientNorm(const ParameterStore& store) {
  std::vector<torch::Tensor> tensors;
  for (const Leaf& leaf : store.leaves()) tensors.push_back(leaf.tensor);
  return gradientNorm(tensors);
}

double clipFactor(ClipRule rule, double maxNorm, double norm) {
  if (rule == ClipRule::Off || maxNorm <= 0 || !std::isfinite(norm)) return 1;
  if (rule == ClipRule::Bert) return maxNorm / std::max(norm, maxNorm);
  if (rule == ClipRule::Torch) return std::min(1.0, maxNorm / (norm + 1e-6));
  return norm > maxNorm ? maxNorm / (norm + 1e-6) : 1;
}

torch::Tensor clipFactorOnDevice(ClipRule rule, double maxNorm, const torch::Tensor& norm) {
  if (rule == ClipRule::Off || maxNorm <= 0) return {};
  if (rule == ClipRule::Bert) return norm.clamp_min(maxNorm).reciprocal_().mul_(maxNorm);
  const torch::Tensor below = (norm + 1e-6).reciprocal_().mul_(maxNorm);
  if (rule == ClipRule::Torch) return below.clamp_max_(1);
  return at::where(norm > maxNorm, below, at::ones({}, norm.options()));
}

namespace {
constexpr EnumWord<ClipRule> kClipRules[] = {
    {ClipRule::Fairseq, "fairseq", "max/(norm+1e-6) above the limit"},
    {ClipRule::Torch, "torch", "max/(norm+1e-6) where below 1"},
    {ClipRule::Bert, "bert", "max/max(norm, max)"}};
}  // namespace

ClipRule clipRule(const OptionValues& options) {
  return options.real("clip.norm") <= 0 ? ClipRule::Off : valueOf(kClipRules, options.text("clip.rule"));
}

std::vector<OptionField> gradientClipOptionFields() {
  return {
      realField("clip.norm", "Clip gradient norm",
                "Largest L2 norm over all gradients; larger ones are scaled down to it.", 0.0)
          .atLeast(0)
          .off(0.0)
          .reference("fairseq, fp16_optimizer"),
      choiceField("clip.rule", "Clip formula",
                  "The formulas differ by the 1e-6 in the divisor and by what happens just below the limit.",
                  choicesOf(kClipRules))
          .reference("fairseq, fp16_optimizer; BERT's code, optimization")};
}

}  // namespace fathom
