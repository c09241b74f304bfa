// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a .cu file is written in: compiled by nvcc this is CUDA, compiled as C++ the executor
// (host/executor.h). Both have SharedMemory::take and launchKernel.
#include <cmath>
#include <cstdint>

#include "core/kernels/host/launch_shape.h"

namespace fathom {
inline constexpr int kInvalidCall = 1;  // cudaErrorInvalidValue
}

#if defined(__CUDACC__)
#include <cuda_runtime_api.h>
#else
#include "core/kernels/host/executor.h"
#endif

namespace fathom {

#if defined(__CUDACC__)
template <typename T>
class SharedArray {
 public:
  __device__ explicit SharedArray(T* data) : m_data(data) {}
  template <typename I>
  __device__ T& operator[](I index) const {
    return m_data[index];
  }
  template <typename I>
  __device__ SharedArray from(I index) const {
    return SharedArray(m_data + index);
  }

 private:
  T* m_data;
};

extern __shared__ __align__(16) unsigned char fathomSharedBytes[];
#else
template <typename T>
using SharedArray = executor::SharedView<T>;
#endif

// Arrays of the block's shared memory, one behind the other; every thread takes the same ones, once.
class SharedMemory {
 public:
  template <typename T>
  __device__ SharedArray<T> take(unsigned count) {
#if defined(__CUDACC__)
    T* data = reinterpret_cast<T*>(fathomSharedBytes + m_taken);
    m_taken += bytesOf<T>(count);
    return SharedArray<T>(data);
  }

 private:
  unsigned m_taken = 0;
#else
    return SharedArray<T>(static_cast<T*>(executor::takeShared(count * sizeof(T))));
  }
#endif

 public:
  // What an array takes of a launch's shared bytes.
  template <typename T>
  static constexpr unsigned bytesOf(unsigned count) {
    return (count * static_cast<unsigned>(sizeof(T)) + 15u) & ~15u;
  }
};

// Returns CUDA's error, 0 for none.
template <typename Call>
int launchKernel(void (*kernel)(Call), const LaunchShape& shape, void* stream, Call call) {
#if defined(__CUDACC__)
  const void* function = reinterpret_cast<const void*>(kernel);
  if (shape.sharedBytes > 48u * 1024u) {  // more than a kernel has without asking
    const cudaError_t refused = cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                     static_cast<int>(shape.sharedBytes));
    if (refused != cudaSuccess) return static_cast<int>(refused);
  }
  void* arguments[] = {&call};
  return static_cast<int>(cudaLaunchKernel(function, dim3(static_cast<unsigned>(shape.blocks), shape.blocksY),
                                           dim3(shape.threads), arguments, shape.sharedBytes,
                                           static_cast<cudaStream_t>(stream)));
#else
  struct Launched {
    void (*kernel)(Call);
    Call call;
  };
  const Launched launched{kernel, call};
  executor::runGrid(
      [](const void* data) {
        const auto* one = static_cast<const Launched*>(data);
        one->kernel(one->call);
      },
      &launched, shape);
  return 0;
#endif
}

}  // namespace fathom
