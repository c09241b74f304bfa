// SPDX-License-Identifier: Apache-2.0
// Planted faults of kernels, each of which the executor or a sanitizer must report with its line, and what
// must pass:
//   kernel_faults FAULT
// A line that ends with `fault: NAME` is one that the report of NAME must show (tst_kernel_executor).
#include <cstdio>
#include <cstring>
#include <vector>

#include "core/kernels/device_language.h"

namespace fathom {

namespace {

constexpr unsigned kFaultThreads = 64;

struct FaultCall {
  float* out = nullptr;
  int count = 0;
  unsigned* counter = nullptr;
};

// Everything that is allowed: barriers, shuffles, votes, atomics, two arrays of shared memory.
void cleanKernel(FaultCall call) {
  SharedMemory memory;
  const auto first = memory.take<float>(kFaultThreads), second = memory.take<float>(kFaultThreads);
  const unsigned t = threadIdx.x;
  first[t] = static_cast<float>(t);
  __syncthreads();
  second[t] = first[(t + 1) % kFaultThreads];
  __syncthreads();
  float sum = second[t];
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(0xFFFFFFFFu, sum, lanes);
  first[t] = sum;
  __syncwarp();
  sum = first[t ^ 1u] + static_cast<float>(__ballot_sync(0xFFFFFFFFu, t % 32 < 4));
  if (t % 32 < 8) sum += __shfl_down_sync(0xFFu, sum, 1 + 31 * (t % 32 == 7));
  atomicAdd(call.counter, 1u);
  call.out[blockIdx.x * kFaultThreads + t] = sum;
}

void missingBlockBarrier(FaultCall call) {
  SharedMemory memory;
  const auto cells = memory.take<float>(kFaultThreads);
  const unsigned t = threadIdx.x;
  cells[t] = 0.0f;
  __syncthreads();
  cells[t] = static_cast<float>(t);
  const float next = cells[(t + 1) % kFaultThreads];  // fault: missing_syncthreads
  __syncthreads();
  call.out[blockIdx.x * kFaultThreads + t] = next;
}

void missingWarpBarrier(FaultCall call) {
  SharedMemory memory;
  const auto cells = memory.take<float>(kFaultThreads);
  const unsigned t = threadIdx.x;
  cells[t] = 0.0f;
  __syncwarp();
  cells[t] = static_cast<float>(t);
  const float other = cells[t ^ 1u];  // fault: missing_syncwarp
  __syncwarp();
  call.out[blockIdx.x * kFaultThreads + t] = other;
}

// A shuffle exchanges its values and orders nothing else.
void shuffleAsBarrier(FaultCall call) {
  SharedMemory memory;
  const auto cells = memory.take<float>(kFaultThreads);
  const unsigned t = threadIdx.x;
  cells[t] = 0.0f;
  __syncwarp();
  cells[t] = static_cast<float>(t);
  const float own = __shfl_xor_sync(0xFFFFFFFFu, 1.0f, 1);
  call.out[blockIdx.x * kFaultThreads + t] = own + cells[t ^ 1u];  // fault: shuffle_as_barrier
}

void twoBlocksOneCell(FaultCall call) {
  if (threadIdx.x == 0) call.out[0] = static_cast<float>(blockIdx.x);  // fault: two_blocks_one_cell
}

void writeBehind(FaultCall call) {
  SharedMemory memory;
  const auto cells = memory.take<float>(kFaultThreads), others = memory.take<float>(kFaultThreads);
  const unsigned t = threadIdx.x;
  cells[t + 1] = 1.0f;  // fault: write_behind_shared
  others[t] = 2.0f;
  call.out[blockIdx.x * kFaultThreads + t] = others[t];
}

void writeBehindGlobal(FaultCall call) {
  call.out[blockIdx.x * kFaultThreads + threadIdx.x + 1] = 1.0f;  // fault: write_behind_global
}

void readUnwritten(FaultCall call) {
  SharedMemory memory;
  const auto cells = memory.take<float>(kFaultThreads);
  const unsigned t = threadIdx.x;
  if (t != 5) cells[t] = 1.0f;
  __syncthreads();
  call.out[blockIdx.x * kFaultThreads + t] = cells[t];  // fault: read_unwritten_shared
}

void barrierInBranch(FaultCall call) {
  if (threadIdx.x < kFaultThreads / 2) __syncthreads();  // fault: barrier_in_branch
  call.out[blockIdx.x * kFaultThreads + threadIdx.x] = 1.0f;
}

void differentBarriers(FaultCall call) {
  if (threadIdx.x % 2 == 0)
    __syncthreads();  // fault: different_barriers
  else
    __syncthreads();
  call.out[blockIdx.x * kFaultThreads + threadIdx.x] = 1.0f;
}

void absentLane(FaultCall call) {
  float value = 1.0f;
  if (threadIdx.x % 32 < 16) value = __shfl_xor_sync(0xFFFFu, value, 16);  // fault: shuffle_from_absent_lane
  call.out[blockIdx.x * kFaultThreads + threadIdx.x] = value;
}

void endedLane(FaultCall call) {
  if (threadIdx.x == 7) return;
  const float value = __shfl_xor_sync(0xFFFFFFFFu, 1.0f, 1);  // fault: ended_lane
  call.out[blockIdx.x * kFaultThreads + threadIdx.x] = value;
}

void differentShuffles(FaultCall call) {
  float value = 1.0f;
  if (threadIdx.x % 32 == 3)
    value = __shfl_xor_sync(0xFFFFFFFFu, value, 1);
  else
    value = __shfl_xor_sync(0xFFFFFFFFu, value, 2);  // fault: different_shuffles
  call.out[blockIdx.x * kFaultThreads + threadIdx.x] = value;
}

void tooMuchShared(FaultCall call) {
  SharedMemory memory;
  const auto cells = memory.take<float>(8 * kFaultThreads);  // fault: too_much_shared
  cells[threadIdx.x] = 1.0f;
  call.out[threadIdx.x] = cells[threadIdx.x];
}

void indexOverflow(FaultCall call) {
  const int index = call.count * static_cast<int>(threadIdx.x + 2);  // fault: index_overflow
  call.out[blockIdx.x * kFaultThreads + threadIdx.x] = static_cast<float>(index);
}

struct Fault {
  const char* name;
  void (*kernel)(FaultCall);
};
constexpr Fault kFaults[] = {{"clean", cleanKernel},
                             {"missing_syncthreads", missingBlockBarrier},
                             {"missing_syncwarp", missingWarpBarrier},
                             {"shuffle_as_barrier", shuffleAsBarrier},
                             {"two_blocks_one_cell", twoBlocksOneCell},
                             {"write_behind_shared", writeBehind},
                             {"write_behind_global", writeBehindGlobal},
                             {"read_unwritten_shared", readUnwritten},
                             {"barrier_in_branch", barrierInBranch},
                             {"different_barriers", differentBarriers},
                             {"shuffle_from_absent_lane", absentLane},
                             {"ended_lane", endedLane},
                             {"different_shuffles", differentShuffles},
                             {"too_much_shared", tooMuchShared},
                             {"index_overflow", indexOverflow}};

constexpr std::int64_t kFaultBlocks = 3;

int runFault(const Fault& fault) {
  std::vector<float> out(kFaultBlocks * kFaultThreads);
  unsigned counter = 0;
  FaultCall call;
  call.out = out.data();
  call.count = 1 << 30;
  call.counter = &counter;
  LaunchShape shape;
  shape.blocks = kFaultBlocks;
  shape.threads = kFaultThreads;
  shape.sharedBytes = 2 * kFaultThreads * sizeof(float);
  launchKernel(fault.kernel, shape, nullptr, call);
  if (std::strcmp(fault.name, "clean") != 0) return 0;
  return counter == kFaultBlocks * kFaultThreads && out[0] == out[2 * kFaultThreads] ? 0 : 1;
}

}  // namespace
}  // namespace fathom

int main(int count, char** words) {
  for (const fathom::Fault& fault : fathom::kFaults)
    if (count == 2 && std::strcmp(words[1], fault.name) == 0) return fathom::runFault(fault);
  std::fprintf(stderr, "kernel_faults: no such fault\n");
  return 2;
}
