// SPDX-License-Identifier: Apache-2.0
#include "core/optim/moment_kernels.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "core/base/errors/error.h"
#include "core/kernels/kernel_way.h"
#include "core/nn/parallel_for.h"
#include "core/optim/optimizer_loops.h"

namespace fathom {

namespace {

template <typename T>
MomentRates<T> ratesOf(const MomentUpdate& u) {
  MomentRates<T> r;
  r.beta1 = static_cast<T>(u.beta1);
  r.oneMinusBeta1 = static_cast<T>(1 - u.beta1);
  r.beta2 = static_cast<T>(u.beta2);
  r.oneMinusBeta2 = static_cast<T>(1 - u.beta2);
  r.eps = static_cast<T>(u.eps);
  r.scale = static_cast<T>(u.gradientScale);
  r.decay = static_cast<T>(u.decay);
  r.step = static_cast<T>(u.stepSize);
  r.rootScale = static_cast<T>(1 / u.rootScale);
  r.added = static_cast<T>(u.stepSize * u.addedDecay);
  return r;
}

constexpr std::int64_t kBlock = 1 << 15;
constexpr KernelWays kMomentPass{.lanes = KernelNeeds{.formats = {torch::kFloat32, torch::kFloat64}}};

// Blocks of all tensors of one number format in one parallel loop; threads take whole blocks.
template <typename T>
void blocksOnCpu(const std::vector<MomentJob>& jobs) {
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
  parallelFor(0, static_cast<std::int64_t>(blocks.size()), 1, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t b = from; b < to; ++b) {
      const Block& block = blocks[static_cast<std::size_t>(b)];
      const MomentJob& job = jobs[block.job];
      updateMoments(job.parameter.mutable_data_ptr<T>() + block.begin,
                    job.gradient.const_data_ptr<T>() + block.begin,
                    job.firstMoment.mutable_data_ptr<T>() + block.begin,
                    job.secondMoment.mutable_data_ptr<T>() + block.begin, block.end - block.begin,
                    ratesOf<T>(job.update));
    }
  });
}

void onCpu(const std::vector<MomentJob>& jobs, torch::ScalarType type) {
  if (type == torch::kFloat64) return blocksOnCpu<double>(jobs);
  blocksOnCpu<float>(jobs);
}

}  // namespace

void applyMomentUpdates(std::vector<MomentJob> jobs) {
  const at::NoGradGuard noGrad;
  std::map<torch::ScalarType, std::vector<MomentJob>> here;
  for (MomentJob& job : jobs) {
    if (wayOf(kMomentPass, job.parameter) != KernelWay::Lanes)
      throw Failure(
          internalError("the optimiser's pass takes float32 and float64 parameters of the processor; "
                        "those of a device are updated by DeviceMoments"));
    job.gradient = job.gradient.contiguous();
    here[job.parameter.scalar_type()].push_back(std::move(job));
  }
  for (const auto& [type, some] : here) onCpu(some, type);
}

}  // namespace fathom
