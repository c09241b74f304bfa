// SPDX-License-Identifier: Apache-2.0
// Family (b): dropout, shortcut factor, branch and layer norm in one pass; its gradients in three, since sums
// over rows are taken in parts of fixed size and never by atomics. Bound by memory. A warp has a row.
#include "core/kernels/norm_join.h"

#include "core/kernels/device_sums.h"

namespace fathom {

namespace {

constexpr unsigned kNormThreads = 128;
constexpr unsigned kNormWarps = kNormThreads / kLanes;

// The call in the numbers of its format.
template <typename T>
struct NormRowsOf {
  std::int64_t rows, width;
  const T *x, *branch;
  const Wide<T>*shortcut, *weight, *bias;
  MaskRule mask;
  Wide<T> scale, eps;
  T *sum, *y;
  Wide<T>* moments;
  const T* yGradient;
  T *xGradient, *branchGradient;
  Wide<T>*rowMeans, *shares, *sums;
  std::int64_t shareCount, rowsOfShare;
};

template <typename T>
__device__ __forceinline__ Wide<T> keptPart(const NormRowsOf<T>& call, std::int64_t at) {
  const auto index = static_cast<std::uint64_t>(at);
  const bool kept =
      call.mask.bits(static_cast<std::uint32_t>(index), call.mask.key(index)) >= call.mask.threshold;
  return kept ? call.scale : Wide<T>(0);
}

template <typename T>
__global__ void __launch_bounds__(kNormThreads) normJoinKernel(NormRowsOf<T> call) {
  using W = Wide<T>;
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * kNormWarps + threadIdx.x / kLanes;
  if (row >= call.rows) return;
  const std::int64_t first = row * call.width;
  const unsigned lane = threadIdx.x % kLanes;
  const T* source = call.sum != nullptr ? call.sum : call.x;
  W total = 0;
  for (std::int64_t i = lane; i < call.width; i += kLanes) {
    W value = widened(call.x[first + i]);
    if (call.shortcut != nullptr) value *= call.shortcut[i];
    if (call.branch != nullptr) value += widened(call.branch[first + i]) * keptPart(call, first + i);
    if (call.sum != nullptr) {
      const T stored = narrowed<T>(value);
      call.sum[first + i] = stored;
      value = widened(stored);  // what the backward pass will see
    }
    total += value;
  }
  const W mean = sumOfWarp(total) / static_cast<W>(call.width);
  W squares = 0;
  for (std::int64_t i = lane; i < call.width; i += kLanes) {
    const W apart = widened(source[first + i]) - mean;
    squares += apart * apart;
  }
  const W inverse = W(1) / rootOf(sumOfWarp(squares) / static_cast<W>(call.width) + call.eps);
  for (std::int64_t i = lane; i < call.width; i += kLanes)
    call.y[first + i] =
        narrowed<T>((widened(source[first + i]) - mean) * inverse * call.weight[i] + call.bias[i]);
  if (lane == 0) {
    call.moments[2 * row] = mean;
    call.moments[2 * row + 1] = inverse;
  }
}

// d sum = inverse * (g - mean(g) - n * mean(g n)), g = dy * weight, n the normalised number.
template <typename T>
__global__ void __launch_bounds__(kNormThreads) normRowGradients(NormRowsOf<T> call) {
  using W = Wide<T>;
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * kNormWarps + threadIdx.x / kLanes;
  if (row >= call.rows) return;
  const std::int64_t first = row * call.width;
  const unsigned lane = threadIdx.x % kLanes;
  const T* source = call.sum != nullptr ? call.sum : call.x;
  const W mean = call.moments[2 * row], inverse = call.moments[2 * row + 1];
  W plain = 0, along = 0;
  for (std::int64_t i = lane; i < call.width; i += kLanes) {
    const W gradient = widened(call.yGradient[first + i]) * call.weight[i];
    plain += gradient;
    along += gradient * (widened(source[first + i]) - mean) * inverse;
  }
  plain = sumOfWarp(plain) / static_cast<W>(call.width);
  along = sumOfWarp(along) / static_cast<W>(call.width);
  for (std::int64_t i = lane; i < call.width; i += kLanes) {
    const W normalised = (widened(source[first + i]) - mean) * inverse;
    const W gradient = widened(call.yGradient[first + i]) * call.weight[i];
    const W ofSum = inverse * (gradient - plain - normalised * along);
    call.xGradient[first + i] = narrowed<T>(call.shortcut != nullptr ? ofSum * call.shortcut[i] : ofSum);
    if (call.branchGradient != nullptr)
      call.branchGradient[first + i] = narrowed<T>(ofSum * keptPart(call, first + i));
  }
  if (lane == 0) {
    call.rowMeans[2 * row] = plain;
    call.rowMeans[2 * row + 1] = along;
  }
}

// A thread has a column of a share of the rows.
template <typename T>
__global__ void __launch_bounds__(kNormThreads) normShareSums(NormRowsOf<T> call) {
  using W = Wide<T>;
  const std::int64_t column = static_cast<std::int64_t>(blockIdx.y) * kNormThreads + threadIdx.x;
  if (column >= call.width) return;
  const std::int64_t begin = static_cast<std::int64_t>(blockIdx.x) * call.rowsOfShare;
  const std::int64_t end = begin + call.rowsOfShare < call.rows ? begin + call.rowsOfShare : call.rows;
  const T* source = call.sum != nullptr ? call.sum : call.x;
  W ofWeight = 0, ofBias = 0, ofShortcut = 0;
  for (std::int64_t row = begin; row < end; ++row) {
    const std::int64_t at = row * call.width + column;
    const W inverse = call.moments[2 * row + 1];
    const W normalised = (widened(source[at]) - call.moments[2 * row]) * inverse;
    const W ofY = widened(call.yGradient[at]);
    ofWeight += ofY * normalised;
    ofBias += ofY;
    if (call.shortcut != nullptr) {
      const W ofSum = inverse * (ofY * call.weight[column] - call.rowMeans[2 * row] -
                                 normalised * call.rowMeans[2 * row + 1]);
      ofShortcut += ofSum * widened(call.x[at]);
    }
  }
  W* share = call.shares + static_cast<std::int64_t>(blockIdx.x) * 3 * call.width + column;
  share[0] = ofWeight;
  share[call.width] = ofBias;
  share[2 * call.width] = ofShortcut;
}

template <typename T>
__global__ void __launch_bounds__(kNormThreads) normSumShares(NormRowsOf<T> call) {
  const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * kNormThreads + threadIdx.x;
  const std::int64_t count = 3 * call.width;
  if (at >= count) return;
  Wide<T> total = 0;
  for (std::int64_t share = 0; share < call.shareCount; ++share) total += call.shares[share * count + at];
  call.sums[at] = total;
}

template <typename T>
NormRowsOf<T> rowsOf(const NormJoinCall& call, const NormJoinGradients& gradients) {
  using W = Wide<T>;
  NormRowsOf<T> rows{};
  rows.rows = call.rows;
  rows.width = call.width;
  rows.x = static_cast<const T*>(call.x);
  rows.branch = static_cast<const T*>(call.branch);
  rows.shortcut = static_cast<const W*>(call.shortcut);
  rows.weight = static_cast<const W*>(call.weight);
  rows.bias = static_cast<const W*>(call.bias);
  rows.mask = call.mask.taken();
  rows.scale = std::is_same_v<T, double> ? static_cast<W>(call.wideScale) : static_cast<W>(call.mask.scale);
  rows.eps = static_cast<W>(call.eps);
  rows.sum = static_cast<T*>(call.sum);
  rows.y = static_cast<T*>(call.y);
  rows.moments = static_cast<W*>(call.moments);
  rows.yGradient = static_cast<const T*>(gradients.y);
  rows.xGradient = static_cast<T*>(gradients.x);
  rows.branchGradient = static_cast<T*>(gradients.branch);
  rows.rowMeans = static_cast<W*>(gradients.rowMeans);
  rows.shares = static_cast<W*>(gradients.shares);
  rows.sums = static_cast<W*>(gradients.sums);
  rows.shareCount = normJoinShares(call.rows);
  rows.rowsOfShare = rowsOfNormShare(call.rows);
  return rows;
}

LaunchShape warpsForRows(std::int64_t rows) {
  LaunchShape shape;
  shape.threads = kNormThreads;
  shape.blocks = (rows + kNormWarps - 1) / kNormWarps;
  return shape;
}

template <typename T>
int launchNorm(const NormJoinCall& call, void* stream) {
  return launchKernel(normJoinKernel<T>, warpsForRows(call.rows), stream, rowsOf<T>(call, {}));
}

template <typename T>
int launchNormGradients(const NormJoinCall& call, const NormJoinGradients& gradients, void* stream) {
  const NormRowsOf<T> rows = rowsOf<T>(call, gradients);
  if (const int error = launchKernel(normRowGradients<T>, warpsForRows(call.rows), stream, rows))
    return error;
  LaunchShape shape;
  shape.threads = kNormThreads;
  shape.blocks = rows.shareCount;
  shape.blocksY = static_cast<unsigned>((call.width + kNormThreads - 1) / kNormThreads);
  if (const int error = launchKernel(normShareSums<T>, shape, stream, rows)) return error;
  shape.blocks = (3 * call.width + kNormThreads - 1) / kNormThreads;
  shape.blocksY = 1;
  return launchKernel(normSumShares<T>, shape, stream, rows);
}

}  // namespace

#if FATHOM_KERNEL_PART != 2
int launchNormJoin(const NormJoinCall& call, void* stream) {
  if (call.rows < 1 || call.width < 1) return kInvalidCall;
  switch (call.format) {
    case NumberFormat::Float32:
      return launchNorm<float>(call, stream);
    case NumberFormat::BFloat16:
      return launchNorm<BFloat16>(call, stream);
    case NumberFormat::Float64:
      return launchNormJoin64(call, stream);
  }
  return kInvalidCall;
}

int launchNormJoinBackward(const NormJoinCall& call, const NormJoinGradients& gradients, void* stream) {
  if (call.rows < 1 || call.width < 1) return kInvalidCall;
  switch (call.format) {
    case NumberFormat::Float32:
      return launchNormGradients<float>(call, gradients, stream);
    case NumberFormat::BFloat16:
      return launchNormGradients<BFloat16>(call, gradients, stream);
    case NumberFormat::Float64:
      return launchNormJoinBackward64(call, gradients, stream);
  }
  return kInvalidCall;
}

namespace {
const KernelRegistration kNormJoinRegistration(kNormJoinPass, launchNormJoin);
const KernelRegistration kNormJoinBackwardRegistration(kNormJoinBackwardPass, launchNormJoinBackward);
}  // namespace
#endif
#if FATHOM_KERNEL_PART != 1
int launchNormJoin64(const NormJoinCall& call, void* stream) {
  return launchNorm<double>(call, stream);
}
int launchNormJoinBackward64(const NormJoinCall& call, const NormJoinGradients& gradients, void* stream) {
  return launchNormGradients<double>(call, gradients, stream);
}
#endif

}  // namespace fathom
