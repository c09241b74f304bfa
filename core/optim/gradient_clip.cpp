// SPDX-License-Identifier: Apache-2.0
#include "core/optim/gradient_clip.h"

#include <ATen/ops/_foreach_norm.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/base/options/field_builder.h"
#include "core/nn/parallel_for.h"
#include "core/optim/optimizer_loops.h"

namespace fathom {

namespace {

constexpr std::int64_t kClipBlock = 1 << 15;

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

// Of gradients that the processor does not hold: as many operators for a thousand tensors as for one, since
// each is a launch on a device; and one wait.
double squaredSumOfDevice(const std::vector<torch::Tensor>& gradients) {
  if (gradients.empty()) return 0;
  return torch::stack(at::_foreach_norm(gradients, 2, torch::kFloat64)).square().sum().item<double>();
}

}  // namespace

double gradientNorm(const std::vector<torch::Tensor>& parameters) {
  std::vector<torch::Tensor> onCpu, elsewhere;
  for (const torch::Tensor& parameter : parameters) {
    const torch::Tensor gradient = parameter.grad();
    if (!gradient.defined()) continue;
    const bool plain = gradient.scalar_type() == torch::kFloat32 || gradient.scalar_type() == torch::kFloat64;
    if (gradient.device().is_cpu() && plain) {
      onCpu.push_back(gradient.contiguous());
    } else {
      elsewhere.push_back(gradient);
    }
  }
  return std::sqrt(squaredSum(onCpu) + squaredSumOfDevice(elsewhere));
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
