// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/support_allocation_meter.h"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::ptrdiff_t> alive{0}, peak{0}, atStart{0};

void* counted(void* memory) {
  if (!memory) throw std::bad_alloc();
  const auto size = static_cast<std::ptrdiff_t>(malloc_usable_size(memory));
  const std::ptrdiff_t now = alive.fetch_add(size) + size;
  std::ptrdiff_t most = peak.load();
  while (now > most && !peak.compare_exchange_weak(most, now)) {
  }
  return memory;
}

void released(void* memory) {
  if (memory) alive.fetch_sub(static_cast<std::ptrdiff_t>(malloc_usable_size(memory)));
  std::free(memory);
}

std::size_t roundedUp(std::size_t size, std::size_t alignment) {
  return (size + alignment - 1) / alignment * alignment;
}

}  // namespace

void* operator new(std::size_t size) {
  return counted(std::malloc(size == 0 ? 1 : size));
}
void* operator new[](std::size_t size) {
  return counted(std::malloc(size == 0 ? 1 : size));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto step = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(step, roundedUp(size == 0 ? 1 : size, step)));
}
void operator delete(void* memory) noexcept {
  released(memory);
}
void operator delete[](void* memory) noexcept {
  released(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  released(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  released(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  released(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  released(memory);
}

namespace fathom {

void startAllocationMeter() {
  atStart = alive.load();
  peak = alive.load();
}

std::size_t allocationPeak() {
  const std::ptrdiff_t more = peak.load() - atStart.load();
  return more > 0 ? static_cast<std::size_t>(more) : 0;
}

}  // namespace fathom
