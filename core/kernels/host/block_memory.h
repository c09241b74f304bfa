// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/kernels/host/executor.h"

namespace fathom::executor {

inline constexpr std::size_t kStackBytes = std::size_t{64} << 10;
inline constexpr std::size_t kMostArrays = 16;

// Says what broke CUDA's rules, with the line in the kernel, and ends the process.
[[noreturn]] void refuse(const char* what, CallSite site);

// Memory that no allocator hands out, so that no sanitizer has an opinion of it. Ends the process without.
char* mapped(std::size_t bytes);

// Stacks of fibers; a guard page lies below each. Kept for the next block.
class Stacks {
 public:
  char* take();
  void give(char* stack) { m_spare.push_back(stack); }

 private:
  std::vector<char*> m_spare;
};

// Shared memory of the blocks of a grid, one at a time: arrays with poisoned gaps behind them, and which of
// their bytes were written. `regions`: blocks that have memory of their own, else all have the same.
class SharedArrays {
 public:
  SharedArrays(std::size_t launchBytes, std::size_t regions);
  ~SharedArrays();
  SharedArrays(const SharedArrays&) = delete;
  SharedArrays& operator=(const SharedArrays&) = delete;

  // For the block that is run as number `ordinal`: nothing is taken, and nothing was written.
  void begin(std::size_t ordinal);
  // The array number `which` that a thread of the block takes: the same for all of them.
  void* take(std::size_t which, std::size_t bytes);
  // Of what is not the block's nothing is noted, and all counts as written: the sanitizers watch the gaps.
  void noteWritten(const void* data, std::size_t bytes);
  bool wereWritten(const void* data, std::size_t bytes);

 private:
  char* writtenOf(const void* data, std::size_t bytes);  // a byte for each one; null: not the block's
  struct Taken {
    std::size_t offset = 0, bytes = 0;
  };
  std::size_t m_launchBytes, m_stride, m_regions;
  char* m_all;
  char* m_data = nullptr;  // of the block
  std::unique_ptr<char[]> m_written;
  Taken m_taken[kMostArrays];
  std::size_t m_arrays = 0, m_end = 0, m_charged = 0;
};

}  // namespace fathom::executor
