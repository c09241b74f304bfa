// SPDX-License-Identifier: Apache-2.0
#include "core/nn/dropout.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cmath>
#include <cstdint>
#include <optional>

#include "core/base/error.h"
#include "core/base/random_stream.h"

namespace fathom {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// 64 mixed bits for a pair of neighbouring entries: 32 bits decide each.
inline std::uint64_t pairBits(std::uint64_t seed, std::uint64_t pair) {
  std::uint64_t value = seed + pair * 0x9E3779B97F4A7C15ull;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ull;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBull;
  return value ^ (value >> 31);
}

// out = base + kept(x) / (1 - p); base may be null. Parallel over pairs, so the result knows nothing of
// threads.
template <typename T>
void maskInto(const T* x, const T* base, T* out, std::int64_t count, double p, std::uint64_t seed) {
  const auto threshold = static_cast<std::uint64_t>(std::llround(p * 4294967296.0));
  const T scale = static_cast<T>(1.0 / (1.0 - p));
  const std::int64_t pairs = (count + 1) / 2;
  at::parallel_for(0, pairs, 16384, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t pair = begin; pair < end; ++pair) {
      const std::uint64_t bits = pairBits(seed, static_cast<std::uint64_t>(pair));
      const std::int64_t i = 2 * pair;
      const T first = (bits & 0xFFFFFFFFull) >= threshold ? scale : T(0);
      out[i] = x[i] * first + (base ? base[i] : T(0));
      if (i + 1 < count) {
        const T second = (bits >> 32) >= threshold ? scale : T(0);
        out[i + 1] = x[i + 1] * second + (base ? base[i + 1] : T(0));
      }
    }
  });
}

torch::Tensor masked(const torch::Tensor& x, const torch::Tensor& base, double p, std::uint64_t seed) {
  const torch::Tensor input = x.contiguous();
  const torch::Tensor added = base.defined() ? base.contiguous() : base;
  torch::Tensor out = at::empty_like(input);
  if (input.scalar_type() == torch::kFloat64) {
    maskInto(input.const_data_ptr<double>(), base.defined() ? added.const_data_ptr<double>() : nullptr,
             out.mutable_data_ptr<double>(), input.numel(), p, seed);
  } else if (input.scalar_type() == torch::kFloat32) {
    maskInto(input.const_data_ptr<float>(), base.defined() ? added.const_data_ptr<float>() : nullptr,
             out.mutable_data_ptr<float>(), input.numel(), p, seed);
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
