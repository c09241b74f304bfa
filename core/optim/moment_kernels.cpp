// SPDX-License-Identifier: Apache-2.0
#include "core/optim/moment_kernels.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/error.h"

namespace fathom {

namespace {

template <typename T>
struct Rates {
  T beta1, oneMinusBeta1, beta2, oneMinusBeta2, eps, scale, decay, step, rootScale, added;
  explicit Rates(const MomentUpdate& u)
      : beta1(static_cast<T>(u.beta1)),
        oneMinusBeta1(static_cast<T>(1 - u.beta1)),
        beta2(static_cast<T>(u.beta2)),
        oneMinusBeta2(static_cast<T>(1 - u.beta2)),
        eps(static_cast<T>(u.eps)),
        scale(static_cast<T>(u.gradientScale)),
        decay(static_cast<T>(u.decay)),
        step(static_cast<T>(u.stepSize)),
        rootScale(static_cast<T>(1 / u.rootScale)),
        added(static_cast<T>(u.stepSize * u.addedDecay)) {}
};

template <typename T>
[[gnu::always_inline]] inline void updateRange(T* __restrict__ p, const T* __restrict__ g, T* __restrict__ m,
                                               T* __restrict__ v, std::int64_t count, const Rates<T>& r) {
  for (std::int64_t i = 0; i < count; ++i) {
    const T gradient = g[i] * r.scale;
    const T second = r.beta2 * v[i] + r.oneMinusBeta2 * gradient * gradient;
    const T first = r.beta1 * m[i] + r.oneMinusBeta1 * gradient;
    v[i] = second;
    m[i] = first;
    const T before = p[i] * r.decay;
    p[i] = before - r.step * first / (std::sqrt(second) * r.rootScale + r.eps) - r.added * before;
  }
}

// Compiled for wider vectors too and chosen at start; products are never contracted, so all variants agree
// bit for bit.
__attribute__((target_clones("avx512f", "avx2", "default"), optimize("O3", "no-math-errno"))) void
updateFloats(float* p, const float* g, float* m, float* v, std::int64_t count, const Rates<float>& r) {
  updateRange<float>(p, g, m, v, count, r);
}
__attribute__((target_clones("avx512f", "avx2", "default"), optimize("O3", "no-math-errno"))) void
updateDoubles(double* p, const double* g, double* m, double* v, std::int64_t count, const Rates<double>& r) {
  updateRange<double>(p, g, m, v, count, r);
}

template <typename T, typename Kernel>
void onCpu(const torch::Tensor& parameter, const torch::Tensor& gradient, const torch::Tensor& first,
           const torch::Tensor& second, const MomentUpdate& update, Kernel kernel) {
  const Rates<T> rates(update);
  T* p = parameter.mutable_data_ptr<T>();
  const T* g = gradient.const_data_ptr<T>();
  T* m = first.mutable_data_ptr<T>();
  T* v = second.mutable_data_ptr<T>();
  at::parallel_for(0, parameter.numel(), 1 << 15, [&](std::int64_t begin, std::int64_t end) {
    kernel(p + begin, g + begin, m + begin, v + begin, end - begin, rates);
  });
}

void onDevice(const torch::Tensor& parameter, const torch::Tensor& gradient, const torch::Tensor& first,
              const torch::Tensor& second, const MomentUpdate& u) {
  const torch::Tensor scaled = u.gradientScale == 1 ? gradient : gradient * u.gradientScale;
  torch::Tensor v = second, m = first, p = parameter;
  v.mul_(u.beta2).addcmul_(scaled, scaled, 1 - u.beta2);
  m.mul_(u.beta1).add_(scaled, 1 - u.beta1);
  if (u.decay != 1) p.mul_(u.decay);
  if (u.stepSize == 0) return;
  const torch::Tensor step = m / v.sqrt().mul_(1 / u.rootScale).add_(u.eps);
  if (u.addedDecay != 0) p.mul_(1 - u.stepSize * u.addedDecay);
  p.add_(step, -u.stepSize);
}

constexpr std::int64_t kBlock = 1 << 15;

// Blocks of all tensors of one number format in one parallel loop; threads take whole blocks.
template <typename T, typename Kernel>
void blocksOnCpu(const std::vector<MomentJob>& jobs, Kernel kernel) {
  struct Block {
    std::size_t job;
    std::int64_t begin, end;
  };
  std::vector<Block> blocks;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const std::int64_t count = jobs[j].parameter.numel();
    for (std::int64_t begin = 0; begin < count; begin += kBlock)
      blocks.push_back({j, begin, std::min(begin + kBlock, count)});
  }
  at::parallel_for(0, static_cast<std::int64_t>(blocks.size()), 1, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t b = from; b < to; ++b) {
      const Block& block = blocks[static_cast<std::size_t>(b)];
      const MomentJob& job = jobs[block.job];
      kernel(job.parameter.mutable_data_ptr<T>() + block.begin,
             job.gradient.const_data_ptr<T>() + block.begin,
             job.firstMoment.mutable_data_ptr<T>() + block.begin,
             job.secondMoment.mutable_data_ptr<T>() + block.begin, block.end - block.begin,
             Rates<T>(job.update));
    }
  });
}

// Jobs with equal rates, through the multi-tensor operations of the device.
void togetherOnDevice(const std::vector<MomentJob>& jobs) {
  std::vector<torch::Tensor> p, g, m, v;
  for (const MomentJob& job : jobs) {
    p.push_back(job.parameter.detach());
    g.push_back(job.gradient);
    m.push_back(job.firstMoment);
    v.push_back(job.secondMoment);
  }
  const MomentUpdate& u = jobs.front().update;
  if (u.gradientScale != 1) g = at::_foreach_mul(g, u.gradientScale);
  at::_foreach_mul_(v, u.beta2);
  at::_foreach_addcmul_(v, g, g, 1 - u.beta2);
  at::_foreach_mul_(m, u.beta1);
  at::_foreach_add_(m, g, 1 - u.beta1);
  if (u.decay != 1) at::_foreach_mul_(p, u.decay);
  if (u.stepSize == 0) return;
  std::vector<torch::Tensor> below = at::_foreach_sqrt(v);
  at::_foreach_mul_(below, 1 / u.rootScale);
  at::_foreach_add_(below, u.eps);
  if (u.addedDecay != 0) at::_foreach_mul_(p, 1 - u.stepSize * u.addedDecay);
  at::_foreach_addcdiv_(p, m, below, -u.stepSize);
}

void runOnCpu(const std::vector<MomentJob>& jobs, torch::ScalarType type) {
  if (jobs.empty()) return;
  if (type == torch::kFloat32) return blocksOnCpu<float>(jobs, updateFloats);
  if (type == torch::kFloat64) return blocksOnCpu<double>(jobs, updateDoubles);
  throw Failure(internalError("the optimiser takes float32 and float64 parameters only"));
}

}  // namespace

void applyMomentUpdates(std::vector<MomentJob> jobs) {
  const at::NoGradGuard noGrad;
  std::map<torch::ScalarType, std::vector<MomentJob>> here;
  std::vector<std::vector<MomentJob>> elsewhere;
  for (MomentJob& job : jobs) {
    job.gradient = job.gradient.contiguous();
    if (job.parameter.device().is_cpu()) {
      here[job.parameter.scalar_type()].push_back(std::move(job));
      continue;
    }
    const auto same = std::find_if(elsewhere.begin(), elsewhere.end(),
                                   [&](const auto& group) { return group.front().update == job.update; });
    (same == elsewhere.end() ? elsewhere.emplace_back() : *same).push_back(std::move(job));
  }
  for (const auto& [type, some] : here) runOnCpu(some, type);
  for (const auto& group : elsewhere) togetherOnDevice(group);
}

void applyMomentUpdate(const torch::Tensor& parameter, const torch::Tensor& gradient,
                       const torch::Tensor& firstMoment, const torch::Tensor& secondMoment,
                       const MomentUpdate& update) {
  const at::NoGradGuard noGrad;
  const torch::Tensor dense = gradient.contiguous();
  if (!parameter.device().is_cpu()) {
    onDevice(parameter, dense, firstMoment, secondMoment, update);
  } else if (parameter.scalar_type() == torch::kFloat32) {
    onCpu<float>(parameter, dense, firstMoment, secondMoment, update, updateFloats);
  } else if (parameter.scalar_type() == torch::kFloat64) {
    onCpu<double>(parameter, dense, firstMoment, secondMoment, update, updateDoubles);
  } else {
    throw Failure(internalError("the optimiser takes float32 and float64 parameters only"));
  }
}

}  // namespace fathom
