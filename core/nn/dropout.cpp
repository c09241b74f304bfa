// SPDX-License-Identifier: Apache-2.0
#include "core/nn/dropout.h"

#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/base/numbers/random_stream.h"
#include "core/kernels/device_dropout.h"
#include "core/kernels/mask_bits.h"
#include "core/nn/host_tape.h"
#include "core/nn/parallel_for.h"
#include "core/nn/vector_clones.h"

namespace fathom {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// out = base + kept(x) / (1 - p) for flat indices [first, first + count) of one block; base may be null.
template <typename T>
[[gnu::always_inline]] inline void maskRange(const T* __restrict__ x, const T* __restrict__ base,
                                             T* __restrict__ out, std::uint64_t first, std::int64_t count,
                                             const MaskRule& rule, T scale) {
  const std::uint32_t key = rule.key(first), start = static_cast<std::uint32_t>(first);
  const std::uint32_t threshold = rule.threshold, high = rule.high;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint32_t bits = mixBits(mixBits((start + static_cast<std::uint32_t>(i)) ^ key) + high);
    const T kept = x[i] * (bits >= threshold ? scale : T(0));
    out[i] = base ? base[i] + kept : kept;
  }
}

FATHOM_VECTOR_CLONES void maskFloats(const float* x, const float* base, float* out, std::uint64_t first,
                                     std::int64_t count, const MaskRule& rule) {
  if (base != nullptr) return maskRange<float>(x, base, out, first, count, rule, rule.scale);
  maskRange<float>(x, nullptr, out, first, count, rule, rule.scale);
}
void maskDoubles(const double* x, const double* base, double* out, std::uint64_t first, std::int64_t count,
                 const MaskRule& rule, double scale) {
  maskRange<double>(x, base, out, first, count, rule, scale);
}

// Parallel over blocks of fixed size: the result knows nothing of threads.
template <typename Kernel>
void forBlocks(std::int64_t count, Kernel kernel) {
  constexpr std::int64_t kBlock = 1 << 15;
  parallelFor(0, (count + kBlock - 1) / kBlock, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t first = begin * kBlock; first < std::min(end * kBlock, count); first += kBlock)
      kernel(first, std::min(kBlock, count - first));
  });
}

template <typename T>
const T* shifted(const torch::Tensor& tensor, std::int64_t first) {
  return tensor.defined() ? tensor.const_data_ptr<T>() + first : nullptr;
}

torch::Tensor masked(const torch::Tensor& x, const torch::Tensor& base, double p, std::uint64_t seed) {
  if (wayOf(kSeededDropout, x) == KernelWay::Plugin) return deviceDropout(x, base, p, seed);
  const torch::Tensor input = x.contiguous();
  const torch::Tensor added = base.defined() ? base.contiguous() : base;
  torch::Tensor out = at::empty_like(input);
  const MaskRule rule(p, seed);
  if (input.scalar_type() == torch::kFloat64) {
    forBlocks(input.numel(), [&](std::int64_t first, std::int64_t count) {
      maskDoubles(shifted<double>(input, first), shifted<double>(added, first),
                  out.mutable_data_ptr<double>() + first, static_cast<std::uint64_t>(first), count, rule,
                  1 / (1 - p));
    });
  } else {
    forBlocks(input.numel(), [&](std::int64_t first, std::int64_t count) {
      maskFloats(shifted<float>(input, first), shifted<float>(added, first),
                 out.mutable_data_ptr<float>() + first, static_cast<std::uint64_t>(first), count, rule);
    });
  }
  return out;
}

class SeededDropout : public torch::autograd::Function<SeededDropout> {
 public:
  static torch::Tensor forward(AutogradContext* ctx, const torch::Tensor& x,
                               const std::optional<torch::Tensor>& base, double p, std::int64_t seed) {
    ctx->saved_data["p"] = p;
    ctx->saved_data["seed"] = seed;
    ctx->saved_data["base"] = base.has_value();
    return masked(x, base.value_or(torch::Tensor()), p, static_cast<std::uint64_t>(seed));
  }
  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    const auto seed = static_cast<std::uint64_t>(ctx->saved_data["seed"].toInt());
    const torch::Tensor x = masked(gradients[0], {}, ctx->saved_data["p"].toDouble(), seed);
    return {x, ctx->saved_data["base"].toBool() ? gradients[0] : torch::Tensor(), {}, {}};
  }
};

}  // namespace

std::uint64_t dropoutSeed(const StepContext& context, std::string_view site) {
  const std::uint64_t seed = streamSeed(context.seed, site, {context.update, context.microBatch});
  if (HostTape* tape = HostTape::current()) tape->seed(seed, context, site);
  return seed;
}

torch::Tensor dropout(const torch::Tensor& x, double p, const StepContext& context, std::string_view site) {
  return context.training && p > 0 ? seededDropout(x, p, dropoutSeed(context, site)) : x;
}

torch::Tensor seededDropout(const torch::Tensor& x, double p, std::uint64_t seed) {
  if (wayOf(kSeededDropout, x) != KernelWay::Aten)
    return SeededDropout::apply(x, std::optional<torch::Tensor>(), p, static_cast<std::int64_t>(seed));
  const auto wide = torch::promoteTypes(x.scalar_type(), torch::kFloat32);  // of mixed precision
  if (wide != x.scalar_type() && wayOf(kSeededDropout, x.options().dtype(wide)) != KernelWay::Aten)
    return seededDropout(x.to(wide), p, seed).to(x.scalar_type());
  return plainDropout(x, p, seed);
}

torch::Tensor addDropout(const torch::Tensor& x, const torch::Tensor& branch, double p,
                         const StepContext& context, std::string_view site) {
  if (!context.training || p <= 0) return x + branch;
  const std::uint64_t seed = dropoutSeed(context, site);
  const bool alike = x.scalar_type() == branch.scalar_type();
  if (!alike || wayOf(kSeededDropout, x) == KernelWay::Aten) return x + seededDropout(branch, p, seed);
  return SeededDropout::apply(branch, std::optional<torch::Tensor>(x), p, static_cast<std::int64_t>(seed));
}

}  // namespace fathom
