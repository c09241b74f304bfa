// SPDX-License-Identifier: Apache-2.0
// Family (c): mask, softmax and dropout of a score chain; backwards into the chain's one running gradient.
// Bound by memory: rows are read again from the nearest cache. A warp has a row.
#include "core/kernels/chain_softmax.h"

#include "core/kernels/device_sums.h"

namespace fathom {

namespace {

constexpr unsigned kChainThreads = 128;
constexpr unsigned kChainWarps = kChainThreads / kLanes;

// The call in the numbers of its format.
template <typename T>
struct ChainRowsOf {
  std::int64_t rows, heads, queries, keys;
  const Wide<T>* scores;
  Wide<T> factor, masked, scale;  // factor: 1 / divisor
  const std::uint8_t* hidden;
  std::int64_t hiddenBatchStride, hiddenQueryStride;
  bool causal, replaces, adds;
  MaskRule mask;
  T *probabilities, *kept;
  const T* keptGradient;
  Wide<T>* running;
};

// What is known of a row's keys.
template <typename T>
struct ChainRow {
  std::int64_t first, query;  // of its numbers; among the queries
  const std::uint8_t* hidden;

  __device__ __forceinline__ ChainRow(const ChainRowsOf<T>& call, std::int64_t row)
      : first(row * call.keys),
        query(row % call.queries),
        hidden(call.hidden != nullptr
                   ? call.hidden + row / (call.heads * call.queries) * call.hiddenBatchStride +
                         query * call.hiddenQueryStride
                   : nullptr) {}
  __device__ __forceinline__ bool hides(const ChainRowsOf<T>& call, std::int64_t key) const {
    return (call.causal && key > query) || (hidden != nullptr && hidden[key] != 0);
  }
  __device__ __forceinline__ Wide<T> logit(const ChainRowsOf<T>& call, std::int64_t key) const {
    const bool away = hides(call, key);
    if (away && call.replaces) return call.masked;
    const Wide<T> value = call.scores[first + key] * call.factor;
    return away ? value + call.masked : value;
  }
};

template <typename T>
__device__ __forceinline__ Wide<T> chainKept(const ChainRowsOf<T>& call, std::int64_t at) {
  const auto index = static_cast<std::uint64_t>(at);
  const bool kept =
      call.mask.bits(static_cast<std::uint32_t>(index), call.mask.key(index)) >= call.mask.threshold;
  return kept ? call.scale : Wide<T>(0);
}

template <typename T>
__global__ void __launch_bounds__(kChainThreads) chainSoftmaxKernel(ChainRowsOf<T> call) {
  using W = Wide<T>;
  const std::int64_t index = static_cast<std::int64_t>(blockIdx.x) * kChainWarps + threadIdx.x / kLanes;
  if (index >= call.rows) return;
  const ChainRow<T> row(call, index);
  const unsigned lane = threadIdx.x % kLanes;
  W largest = -static_cast<W>(INFINITY);
  for (std::int64_t key = lane; key < call.keys; key += kLanes) {
    const W logit = row.logit(call, key);
    largest = logit > largest ? logit : largest;
  }
  largest = largestOfWarp(largest);
  W total = 0;
  for (std::int64_t key = lane; key < call.keys; key += kLanes)
    total += exponentialOf(row.logit(call, key) - largest);
  const W inverse = W(1) / sumOfWarp(total);
  for (std::int64_t key = lane; key < call.keys; key += kLanes) {
    const std::int64_t at = row.first + key;
    const W probability = exponentialOf(row.logit(call, key) - largest) * inverse;
    const T stored = narrowed<T>(probability);
    call.probabilities[at] = stored;
    if (call.kept != nullptr) call.kept[at] = narrowed<T>(widened(stored) * chainKept(call, at));
  }
}

// d logit = p * (dp - sum(dp p)), dp = mask * gradient of kept.
template <typename T>
__global__ void __launch_bounds__(kChainThreads) chainSoftmaxGradients(ChainRowsOf<T> call) {
  using W = Wide<T>;
  const std::int64_t index = static_cast<std::int64_t>(blockIdx.x) * kChainWarps + threadIdx.x / kLanes;
  if (index >= call.rows) return;
  const ChainRow<T> row(call, index);
  const unsigned lane = threadIdx.x % kLanes;
  W along = 0;
  for (std::int64_t key = lane; key < call.keys; key += kLanes) {
    const std::int64_t at = row.first + key;
    along += widened(call.keptGradient[at]) * chainKept(call, at) * widened(call.probabilities[at]);
  }
  along = sumOfWarp(along);
  for (std::int64_t key = lane; key < call.keys; key += kLanes) {
    const std::int64_t at = row.first + key;
    const W ofLogit =
        widened(call.probabilities[at]) * (widened(call.keptGradient[at]) * chainKept(call, at) - along);
    const W ofScore = call.replaces && row.hides(call, key) ? W(0) : ofLogit * call.factor;
    call.running[at] = call.adds ? call.running[at] + ofScore : ofScore;
  }
}

template <typename T>
ChainRowsOf<T> chainRows(const ChainSoftmaxCall& call, const ChainSoftmaxGradients& gradients) {
  using W = Wide<T>;
  ChainRowsOf<T> rows{};
  rows.rows = call.batch * call.heads * call.queries;
  rows.heads = call.heads;
  rows.queries = call.queries;
  rows.keys = call.keys;
  rows.scores = static_cast<const W*>(call.scores);
  rows.factor = static_cast<W>(1 / call.divisor);
  rows.masked = static_cast<W>(call.masked);
  rows.scale = std::is_same_v<T, double> ? static_cast<W>(call.wideScale) : static_cast<W>(call.mask.scale);
  rows.hidden = call.hidden;
  rows.hiddenBatchStride = call.hiddenBatchStride;
  rows.hiddenQueryStride = call.hiddenQueryStride;
  rows.causal = call.causal;
  rows.replaces = call.replaces;
  rows.adds = gradients.adds;
  rows.mask = call.mask.taken();
  rows.probabilities = static_cast<T*>(call.probabilities);
  rows.kept = static_cast<T*>(call.kept);
  rows.keptGradient = static_cast<const T*>(gradients.kept);
  rows.running = static_cast<W*>(gradients.running);
  return rows;
}

LaunchShape warpsForChain(const ChainSoftmaxCall& call) {
  LaunchShape shape;
  shape.threads = kChainThreads;
  shape.blocks = (call.batch * call.heads * call.queries + kChainWarps - 1) / kChainWarps;
  return shape;
}

#if FATHOM_KERNEL_PART != 2
bool chainIsEmpty(const ChainSoftmaxCall& call) {
  return call.batch < 1 || call.heads < 1 || call.queries < 1 || call.keys < 1;
}
#endif

template <typename T>
int launchChain(const ChainSoftmaxCall& call, void* stream) {
  return launchKernel(chainSoftmaxKernel<T>, warpsForChain(call), stream, chainRows<T>(call, {}));
}
template <typename T>
int launchChainGradients(const ChainSoftmaxCall& call, const ChainSoftmaxGradients& gradients, void* stream) {
  return launchKernel(chainSoftmaxGradients<T>, warpsForChain(call), stream, chainRows<T>(call, gradients));
}

}  // namespace

#if FATHOM_KERNEL_PART != 2
int launchChainSoftmax(const ChainSoftmaxCall& call, void* stream) {
  if (chainIsEmpty(call)) return 0;
  switch (call.format) {
    case NumberFormat::Float32:
      return launchChain<float>(call, stream);
    case NumberFormat::BFloat16:
      return launchChain<BFloat16>(call, stream);
    case NumberFormat::Float64:
      return launchChainSoftmax64(call, stream);
  }
  return kInvalidCall;
}

int launchChainSoftmaxBackward(const ChainSoftmaxCall& call, const ChainSoftmaxGradients& gradients,
                               void* stream) {
  if (chainIsEmpty(call)) return 0;
  switch (call.format) {
    case NumberFormat::Float32:
      return launchChainGradients<float>(call, gradients, stream);
    case NumberFormat::BFloat16:
      return launchChainGradients<BFloat16>(call, gradients, stream);
    case NumberFormat::Float64:
      return launchChainSoftmaxBackward64(call, gradients, stream);
  }
  return kInvalidCall;
}

namespace {
const KernelRegistration kChainSoftmaxRegistration(kChainSoftmaxPass, launchChainSoftmax);
const KernelRegistration kChainSoftmaxBackwardRegistration(kChainSoftmaxBackwardPass, launchChainSoftmaxBackward);
}  // namespace
#endif
#if FATHOM_KERNEL_PART != 1
int launchChainSoftmax64(const ChainSoftmaxCall& call, void* stream) {
  return launchChain<double>(call, stream);
}
int launchChainSoftmaxBackward64(const ChainSoftmaxCall& call, const ChainSoftmaxGradients& gradients,
                                 void* stream) {
  return launchChainGradients<double>(call, gradients, stream);
}
#endif

}  // namespace fathom
