// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/util/ThreadLocalDebugInfo.h>
#include <torch/types.h>

#include <cstdint>
#include <memory>

namespace fathom {

// Bytes of the tensors on a device that were made on this thread (and on those of its backward passes) while
// it lives and are still there. Tensors made before it should outlive it: their end is not seen.
class MemoryMeter {
 public:
  explicit MemoryMeter(const torch::Device& device);
  ~MemoryMeter();
  MemoryMeter(const MemoryMeter&) = delete;
  MemoryMeter& operator=(const MemoryMeter&) = delete;

  std::int64_t now() const;
  std::int64_t most() const;  // since restart()
  void restart();             // the most is what there is now

 private:
  class Counter;
  std::shared_ptr<Counter> m_counter;
  c10::DebugInfoGuard m_guard;
};

}  // namespace fathom
