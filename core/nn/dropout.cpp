// SPDX-License-Identifier: Apache-2.0
#include "core/nn/dropout.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "core/base/error.h"
#include "core/base/random_stream.h"

namespace fathom {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// 32 well-mixed bits (two rounds of a multiplicative hash, once per key word), in operations that vectorise.
[[gnu::always_inline]] inline std::uint32_t mixBits(std::uint32_t value) {
  value = (value ^ (value >> 16)) * 0x7FEB352Du;
  value = (value ^ (value >> 15)) * 0x846CA68Bu;
  return value ^ (value >> 16);
}

// What a pass needs: entries whose bits are below the threshold are dropped, the others scaled.
template <typename T>
struct MaskRule {
  std::uint32_t low, high, threshold;
  T scale;
};

// out = base + kept(x) / (1 - p) for flat indices [first, first + count); base may be null.
template <typename T>
[[gnu::always_inline]] inline void maskRange(const T* x, const T* base, T* out, std::int64_t first,
                                             std::int64_t count, const MaskRule<T>& rule) {
  const std::uint32_t key = rule.low ^ mixBits(static_cast<std::uint32_t>(first >> 32));
  const auto start = static_cast<std::uint32_t>(first);
  if (base) {
    for (std::int64_t i = 0; i < count; ++i) {
      const std::uint32_t bits = mixBits(mixBits((start + static_cast<std::uint32_t>(i)) ^ key) + rule.high);
      out[i] = x[i] * (bits >= rule.threshold ? rule.scale : T(0)) + base[i];
    }
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint32_t bits = mixBits(mixBits((start + static_cast<std::uint32_t>(i)) ^ key) + rule.high);
    out[i] = x[i] * (bits >= rule.threshold ? rule.scale : T(0));
  }
}

// Compiled for wider vectors too and chosen at start; all variants agree bit for bit.
__attribute__((target_clones("avx512f", "avx2", "default"), optimize("O3"))) void maskFloats(
    const float* __restrict__ x, const float* __restrict__ base, float* __restrict__ out, std::int64_t first,
    std::int64_t count, const MaskRule<float>& rule) {
  maskRange<float>(x, base, out, first, count, rule);
}
void maskDoubles(const double* x, const double* base, double* out, std::int64_t first, std::int64_t count,
                 const MaskRule<double>& rule) {
  maskRange<double>(x, base, out, first, count, rule);
}

// Parallel over blocks of fixed size: the result knows nothing of threads.
template <typename T, typename Kernel>
void maskInto(const T* x, const T* base, T* out, std::int64_t count, double p, std::uint64_t seed,
              Kernel kernel) {
  constexpr std::int64_t kBlock = 1 << 15;
  const MaskRule<T> rule{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
                         static_cast<std::uint32_t>(std::llround(p * 4294967296.0)),
                         static_cast<T>(1.0 / (1.0 - p))};
  at::parallel_for(0, (count + kBlock - 1) / kBlock, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t block = begin; block < end; ++block) {
      const std::int64_t first = block * kBlock;
      kernel(x + first, base ? base + first : nullptr, out + first, first, std::min(kBlock, count - first),
             rule);
    }
  });
}

torch::Tensor masked(const torch::Tensor& x, const torch::Tensor& base, double p, std::uint64_t seed) {
  const torch::Tensor input = x.contiguous();
  const torch::Tensor added = base.defined() ? base.contiguous() : base;
  torch::Tensor out = at::empty_like(input);
  if (input.scalar_type() == torch::kFloat64) {
    maskInto(input.const_data_ptr<double>(), base.defined() ? added.const_data_ptr<double>() : nullptr,
             out.mutable_data_ptr<double>(), input.numel(), p, seed, maskDoubles);
  } else if (input.scalar_type() == torch::kFloat32) {
    maskInto(input.const_data_ptr<float>(), base.defined() ? added.const_data_ptr<float>() : nullptr,
             out.mutable_data_ptr<float>(), input.numel(), p, seed, maskFloats);
  } else {
    throw Failure(internalError("dropout on the CPU takes float32 and float64 tensors only"));
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

torch::Tensor dropoutOnDevice(const torch::Tensor& x, double p, std::uint64_t seed) {
  at::Generator generator = at::globalContext().defaultGenerator(x.device()).clone();
  generator.set_current_seed(seed);
  const torch::Tensor kept = at::empty_like(x).bernoulli_(1 - p, generator);
  return x * kept.mul_(1 / (1 - p));
}

}  // namespace

torch::Tensor dropout(const torch::Tensor& x, double p, const StepContext& context, std::string_view site) {
  if (!context.training || p <= 0) return x;
  const std::uint64_t seed = streamSeed(context.seed, site, {context.update, context.microBatch});
  if (!x.device().is_cpu()) return dropoutOnDevice(x, p, seed);
  return SeededDropout::apply(x, std::optional<torch::Tensor>(), p, static_cast<std::int64_t>(seed));
}

torch::Tensor addDropout(const torch::Tensor& x, const torch::Tensor& branch, double p,
                         const StepContext& context, std::string_view site) {
  if (!context.training || p <= 0) return x + branch;
  const std::uint64_t seed = streamSeed(context.seed, site, {context.update, context.microBatch});
  if (!x.device().is_cpu()) return x + dropoutOnDevice(branch, p, seed);
  return SeededDropout::apply(branch, std::optional<torch::Tensor>(x), p, static_cast<std::int64_t>(seed));
}

}  // namespace fathom
