// SPDX-License-Identifier: Apache-2.0
#include "core/optim/gradient_clip.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>

#include "core/nn/field_builder.h"

namespace fathom {

namespace {

constexpr std::int64_t kBlock = 1 << 15;

template <typename T>
double blockSum(const T* values, std::int64_t count) {
  double lanes[4] = {0, 0, 0, 0};  // independent sums keep the adder busy
  std::int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    for (int lane = 0; lane < 4; ++lane) {
      const auto value = static_cast<double>(values[i + lane]);
      lanes[lane] += value * value;
    }
  }
  for (; i < count; ++i) lanes[0] += static_cast<double>(values[i]) * static_cast<double>(values[i]);
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

// Blocks of fixed size, added up in order: the same sum for any number of threads.
template <typename T>
double squaredSum(const torch::Tensor& gradient) {
  const T* values = gradient.const_data_ptr<T>();
  const std::int64_t count = gradient.numel();
  std::vector<double> sums(static_cast<std::size_t>((count + kBlock - 1) / kBlock));
  at::parallel_for(0, static_cast<std::int64_t>(sums.size()), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t b = begin; b < end; ++b) {
      sums[static_cast<std::size_t>(b)] = blockSum(values + b * kBlock, std::min(kBlock, count - b * kBlock));
    }
  });
  double total = 0;
  for (const double sum : sums) total += sum;
  return total;
}

}  // namespace

double gradientNorm(const std::vector<torch::Tensor>& parameters) {
  double total = 0;
  torch::Tensor onDevice;
  for (const torch::Tensor& parameter : parameters) {
    const torch::Tensor gradient = parameter.grad();
    if (!gradient.defined()) continue;
    if (gradient.device().is_cpu() && gradient.scalar_type() == torch::kFloat32) {
      total += squaredSum<float>(gradient.contiguous());
    } else if (gradient.device().is_cpu() && gradient.scalar_type() == torch::kFloat64) {
      total += squaredSum<double>(gradient.contiguous());
    } else {
      const torch::Tensor sum = gradient.to(torch::kFloat64).square().sum();
      onDevice = onDevice.defined() ? onDevice + sum : sum;
    }
  }
  if (onDevice.defined()) total += onDevice.item<double>();
  return std::sqrt(total);
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

ClipRule clipRule(const OptionValues& options) {
  const std::string id = options.text("clip.rule");
  if (options.real("clip.norm") <= 0) return ClipRule::Off;
  if (id == "bert") return ClipRule::Bert;
  return id == "torch" ? ClipRule::Torch : ClipRule::Fairseq;
}

std::vector<OptionField> gradientClipOptionFields() {
  return {
      FieldBuilder("clip.norm", OptionType::Real, 0.0)
          .title("Clip gradient norm")
          .help("Largest L2 norm over all gradients; larger ones are scaled down to it.")
          .atLeast(0)
          .off(0.0)
          .reference("transformers.md §2.3")
          .group("Optimiser"),
      FieldBuilder("clip.rule", OptionType::Choice, "fairseq")
          .title("Clip formula")
          .help("The formulas differ by the 1e-6 in the divisor and by what happens just below the limit.")
          .choices({{"fairseq", "max/(norm+1e-6) above the limit"},
                    {"torch", "max/(norm+1e-6) where below 1"},
                    {"bert", "max/max(norm, max)"}})
          .reference("transformers.md §2.3, §10.14")
          .group("Optimiser")};
}

}  // namespace fathom
