// SPDX-License-Identifier: Apache-2.0
#include "core/train/dry/memory_meter.h"

#include <c10/core/Allocator.h>

#include <atomic>

namespace fathom {

// Stands in for torch's profiler: allocators tell it of every piece they give out and take back.
class MemoryMeter::Counter final : public c10::MemoryReportingInfoBase {
 public:
  explicit Counter(torch::DeviceType type) : m_type(type) {}
  bool memoryProfilingEnabled() const override { return true; }
  void reportMemoryUsage(void* /*place*/, std::int64_t bytes, std::size_t /*allocated*/,
                         std::size_t /*reserved*/, c10::Device device) override {
    if (device.type() != m_type) return;
    const std::int64_t now = m_now.fetch_add(bytes) + bytes;
    std::int64_t most = m_most.load();
    while (now > most && !m_most.compare_exchange_weak(most, now)) {
    }
  }
  std::atomic<std::int64_t> m_now{0}, m_most{0};

 private:
  torch::DeviceType m_type;
};

MemoryMeter::MemoryMeter(const torch::Device& device)
    : m_counter(std::make_shared<Counter>(device.type())),
      m_guard(c10::DebugInfoKind::PROFILER_STATE, m_counter) {}

MemoryMeter::~MemoryMeter() = default;

std::int64_t MemoryMeter::now() const {
  return m_counter->m_now.load();
}

std::int64_t MemoryMeter::most() const {
  return m_counter->m_most.load();
}

void MemoryMeter::restart() {
  m_counter->m_most.store(m_counter->m_now.load());
}

}  // namespace fathom
