// SPDX-License-Identifier: Apache-2.0
// Family (a): seeded dropout, with and without an addition. Bound by memory: two or three numbers of traffic
// per number.
#include "core/kernels/seeded_dropout.h"

#include "core/kernels/device_language.h"

namespace fathom {

namespace {

constexpr unsigned kDropoutThreads = 256;
constexpr unsigned kPack = 4;  // numbers that a thread takes

template <typename T>
struct alignas(sizeof(T) * kPack < 16 ? sizeof(T) * kPack : 16) Pack {
  T at[kPack];
};

template <typename T>
__device__ __forceinline__ bool isAligned(const void* data) {
  return (reinterpret_cast<std::uintptr_t>(data) & (alignof(Pack<T>) - 1)) == 0;
}

template <typename T>
__device__ __forceinline__ Wide<T> keptOne(const MaskRule& mask, std::uint64_t index, T x, Wide<T> scale) {
  const bool kept = mask.bits(static_cast<std::uint32_t>(index), mask.key(index)) >= mask.threshold;
  return widened(x) * (kept ? scale : Wide<T>(0));
}

template <typename T>
__device__ __forceinline__ Wide<T> scaleOf(const DropoutCall& call) {
  if constexpr (std::is_same_v<T, double>)
    return call.wideScale;
  else
    return call.mask.scale;
}

template <typename T>
__global__ void __launch_bounds__(kDropoutThreads) seededDropoutKernel(DropoutCall call) {
  const std::int64_t first = (static_cast<std::int64_t>(blockIdx.x) * kDropoutThreads + threadIdx.x) * kPack;
  if (first >= call.count) return;
  const T* x = static_cast<const T*>(call.x) + first;
  const T* base = call.base != nullptr ? static_cast<const T*>(call.base) + first : nullptr;
  T* out = static_cast<T*>(call.out) + first;
  const std::uint64_t index = call.firstIndex + static_cast<std::uint64_t>(first);
  const Wide<T> scale = scaleOf<T>(call);
  const MaskRule mask = call.mask.taken();
  if (first + kPack <= call.count && isAligned<T>(call.x) && isAligned<T>(call.base) &&
      isAligned<T>(call.out)) {
    Pack<T> numbers = *reinterpret_cast<const Pack<T>*>(x);
    if (base != nullptr) {
      const Pack<T> added = *reinterpret_cast<const Pack<T>*>(base);
      for (unsigned i = 0; i < kPack; ++i)
        numbers.at[i] =
            narrowed<T>(widened(added.at[i]) + keptOne(mask, index + i, numbers.at[i], scale));
    } else {
      for (unsigned i = 0; i < kPack; ++i)
        numbers.at[i] = narrowed<T>(keptOne(mask, index + i, numbers.at[i], scale));
    }
    *reinterpret_cast<Pack<T>*>(out) = numbers;
    return;
  }
  for (unsigned i = 0; i < kPack && first + i < call.count; ++i) {
    const Wide<T> kept = keptOne(mask, index + i, x[i], scale);
    out[i] = narrowed<T>(base != nullptr ? widened(base[i]) + kept : kept);
  }
}

template <typename T>
int launchFor(const DropoutCall& call, void* stream) {
  LaunchShape shape;
  shape.threads = kDropoutThreads;
  shape.blocks = (call.count + kDropoutThreads * kPack - 1) / (kDropoutThreads * kPack);
  return launchKernel(seededDropoutKernel<T>, shape, stream, call);
}

}  // namespace

#if FATHOM_KERNEL_PART != 2
int launchSeededDropout(const DropoutCall& call, void* stream) {
  if (call.count == 0) return 0;
  switch (call.format) {
    case NumberFormat::Float32:
      return launchFor<float>(call, stream);
    case NumberFormat::BFloat16:
      return launchFor<BFloat16>(call, stream);
    case NumberFormat::Float64:
      return launchSeededDropout64(call, stream);
  }
  return kInvalidCall;
}

namespace {
const KernelRegistration kSeededDropoutRegistration(kSeededDropoutPass, launchSeededDropout);
}  // namespace
#endif
#if FATHOM_KERNEL_PART != 1
int launchSeededDropout64(const DropoutCall& call, void* stream) {
  return launchFor<double>(call, stream);
}
#endif

}  // namespace fathom
