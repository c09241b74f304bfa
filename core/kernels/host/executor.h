// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

#include "core/kernels/host/launch_shape.h"

// CUDA's words for host code: a kernel compiled with this header runs in the executor, where each of its
// threads is a fiber. Nothing but barriers orders the threads, so that ThreadSanitizer sees the order that a
// card promises and no other. Not offered: tensor-core instructions, asynchronous copies, clusters, atomics
// on floating point. What breaks CUDA's rules ends the process with the file and line of the call.
namespace fathom::executor {

inline constexpr unsigned kWarp = 32;
inline constexpr std::size_t kMostShared = 232448;  // bytes that a block of sm_90 may ask for
inline constexpr std::size_t kMostThreads = 1024;

struct Index3 {
  unsigned x = 0, y = 0, z = 0;
};
struct ThreadPlace {
  Index3 thread, block, blockSize, gridSize;
};
// Of the calling thread of a kernel.
const ThreadPlace& place();

// The order in which blocks, and threads of a block, run. Of every launch from now on.
void setOrder(std::uint64_t seed);
// Launches run these blocks of their grids alone, [first, last); (0, -1) runs all: for addresses so far out
// that nobody waits for the blocks before them.
void onlyBlocks(std::int64_t first, std::int64_t last);

using Body = void (*)(const void* call);
// Every thread of the grid calls body(call). Returns when all are done. One launch at a time; others wait.
void runGrid(Body body, const void* call, const LaunchShape& shape);

struct CallSite {
  const char* file;
  int line;
};
void syncBlock(CallSite site);
void syncWarp(unsigned mask, CallSite site);
// Value of lane `source`, or of the caller where source is negative.
std::uint64_t exchange(unsigned mask, std::uint64_t value, int source, CallSite site);
unsigned ballot(unsigned mask, bool vote, CallSite site);

// Memory of the calling thread's block, NaN and unreadable until written. Every thread takes the same arrays
// in the same order; between them lie gaps that AddressSanitizer watches.
void* takeShared(std::size_t bytes);
void noteWritten(const void* data, std::size_t bytes);
void requireWritten(const void* data, std::size_t bytes);

// One number of shared memory.
template <typename T>
class SharedCell {
 public:
  explicit SharedCell(T* at) : m_at(at) {}
  SharedCell(const SharedCell&) = default;
  operator T() const {  // NOLINT: stands for the number
    requireWritten(m_at, sizeof(T));
    return *m_at;
  }
  SharedCell& operator=(T value) {
    *m_at = value;
    noteWritten(m_at, sizeof(T));
    return *this;
  }
  SharedCell& operator=(const SharedCell& other) { return *this = static_cast<T>(other); }
  SharedCell& operator+=(T value) { return *this = static_cast<T>(*this) + value; }

 private:
  T* m_at;
};

template <typename T>
class SharedView {
 public:
  explicit SharedView(T* data) : m_data(data) {}
  template <typename I>
  SharedCell<T> operator[](I index) const {
    return SharedCell<T>(m_data + index);
  }
  template <typename I>
  SharedView from(I index) const {
    return SharedView(m_data + index);
  }

 private:
  T* m_data;
};

template <typename T>
std::uint64_t bitsOf(T value) {
  static_assert(sizeof(T) <= sizeof(std::uint64_t));
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}
template <typename T>
T fromBits(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

}  // namespace fathom::executor

#define FATHOM_CALL_SITE ::fathom::executor::CallSite site = {__builtin_FILE(), __builtin_LINE()}

inline void __syncthreads(FATHOM_CALL_SITE) {
  ::fathom::executor::syncBlock(site);
}
inline void __syncwarp(unsigned mask = 0xFFFFFFFFu, FATHOM_CALL_SITE) {
  ::fathom::executor::syncWarp(mask, site);
}
inline unsigned fathomLane() {
  return ::fathom::executor::place().thread.x % ::fathom::executor::kWarp;
}
template <typename T>
T __shfl_sync(unsigned mask, T value, int lane, FATHOM_CALL_SITE) {
  using namespace ::fathom::executor;
  return fromBits<T>(exchange(mask, bitsOf(value), lane % static_cast<int>(kWarp), site));
}
template <typename T>
T __shfl_xor_sync(unsigned mask, T value, int lanes, FATHOM_CALL_SITE) {
  using namespace ::fathom::executor;
  return fromBits<T>(exchange(mask, bitsOf(value), static_cast<int>(fathomLane()) ^ lanes, site));
}
template <typename T>
T __shfl_down_sync(unsigned mask, T value, unsigned by, FATHOM_CALL_SITE) {
  using namespace ::fathom::executor;
  const unsigned source = fathomLane() + by;
  return fromBits<T>(exchange(mask, bitsOf(value), source < kWarp ? static_cast<int>(source) : -1, site));
}
template <typename T>
T __shfl_up_sync(unsigned mask, T value, unsigned by, FATHOM_CALL_SITE) {
  using namespace ::fathom::executor;
  const int source = static_cast<int>(fathomLane()) - static_cast<int>(by);
  return fromBits<T>(exchange(mask, bitsOf(value), source >= 0 ? source : -1, site));
}
inline unsigned __ballot_sync(unsigned mask, int vote, FATHOM_CALL_SITE) {
  return ::fathom::executor::ballot(mask, vote != 0, site);
}
inline int __any_sync(unsigned mask, int vote, FATHOM_CALL_SITE) {
  return ::fathom::executor::ballot(mask, vote != 0, site) != 0;
}
inline int __all_sync(unsigned mask, int vote, FATHOM_CALL_SITE) {
  return ::fathom::executor::ballot(mask, vote == 0, site) == 0;
}
template <typename T>
T atomicAdd(T* cell, T value) {
  static_assert(T(1) / T(2) == T(0), "sums of floating point would depend on the order of threads");
  return __atomic_fetch_add(cell, value, __ATOMIC_RELAXED);
}

#define threadIdx (::fathom::executor::place().thread)
#define blockIdx (::fathom::executor::place().block)
#define blockDim (::fathom::executor::place().blockSize)
#define gridDim (::fathom::executor::place().gridSize)
#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(...)
