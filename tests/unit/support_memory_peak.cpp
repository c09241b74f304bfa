// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/support_memory_peak.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>

#include "core/base/threads/sanitizers.h"

// Of the sanitizers' runtime (sanitizer/allocator_interface.h); without one they are null.
extern "C" {
__attribute__((weak)) int __sanitizer_install_malloc_and_free_hooks(
    void (*allocated)(const volatile void* memory, std::size_t bytes),
    void (*freed)(const volatile void* memory));
__attribute__((weak)) std::size_t __sanitizer_get_allocated_size(const volatile void* memory);
}

namespace fathom::tests {

namespace {

std::atomic<std::int64_t> g_allocated{0}, g_peak{0};

void noteAllocated(const volatile void*, std::size_t bytes) {
  const std::int64_t now = g_allocated += static_cast<std::int64_t>(bytes);
  std::int64_t peak = g_peak;
  while (now > peak && !g_peak.compare_exchange_weak(peak, now)) {
  }
}

void noteFreed(const volatile void* memory) {
  if (memory != nullptr) g_allocated -= static_cast<std::int64_t>(__sanitizer_get_allocated_size(memory));
}

// Of /proc/self/status.
double statusMegabytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double kilobytes = 0;
    if (word == key && status >> kilobytes) return kilobytes / 1024;
  }
  return 0;
}

double residentPeakOf(const std::function<void()>& work) {
  std::ofstream("/proc/self/clear_refs") << "5";  // the peak is what is used now
  const double before = statusMegabytes("VmRSS:");
  work();
  return statusMegabytes("VmHWM:") - before;
}

}  // namespace

double peakMegabytesOf(const std::function<void()>& work) {
  if (!kSanitized || __sanitizer_install_malloc_and_free_hooks == nullptr) return residentPeakOf(work);
  static const int installed = __sanitizer_install_malloc_and_free_hooks(noteAllocated, noteFreed);
  if (installed == 0) return residentPeakOf(work);
  const std::int64_t before = g_allocated;
  g_peak = before;
  work();
  return static_cast<double>(g_peak - before) / (1 << 20);
}

}  // namespace fathom::tests
