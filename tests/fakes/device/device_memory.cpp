// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/device/device_memory.h"

#include <c10/util/Exception.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace fathom::stand_in {

namespace {

constexpr std::size_t kDefaultSize = std::size_t{8} << 30;
constexpr std::size_t kRange = std::size_t{64}
                               << 30;  // of addresses: spare blocks of other sizes take none of the memory
constexpr std::size_t kStep = 512;
constexpr int kNanByte = 0xFF;  // every floating-point number of such bytes is NaN

std::size_t sizeFromEnvironment() {
  const char* text = std::getenv("FATHOM_DEVICE_MEMORY");
  return text != nullptr ? std::strtoull(text, nullptr, 10) : kDefaultSize;
}

char* reserve(int protection) {
  void* range = ::mmap(nullptr, kRange, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range != MAP_FAILED) return static_cast<char*>(range);
  std::perror("stand-in device: no range of addresses");
  std::abort();
}

}  // namespace

DeviceMemory& DeviceMemory::instance() {
  static auto* memory = new DeviceMemory;  // tensors of static storage are released after everything else
  return *memory;
}

DeviceMemory::DeviceMemory()
    : m_hidden(reserve(PROT_NONE)), m_open(reserve(PROT_READ | PROT_WRITE)), m_size(sizeFromEnvironment()) {}

void* DeviceMemory::allocate(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  const std::size_t rounded = (bytes + kStep - 1) / kStep * kStep;
  std::size_t offset = 0;
  {
    const std::lock_guard lock(m_mutex);
    TORCH_CHECK_WITH(OutOfMemoryError, m_inUse + rounded <= m_size && m_end + rounded <= kRange,
                     "CUDA out of memory. Tried to allocate ", rounded, " bytes; the stand-in device has ",
                     m_size, " bytes, of which ", m_inUse, " are in use.");
    std::vector<std::size_t>& spare = m_spare[rounded];
    if (spare.empty()) {
      offset = m_end;
      m_end += rounded;
    } else {
      offset = spare.back();
      spare.pop_back();
    }
    m_taken[offset] = rounded;
    if (m_pool != nullptr) {
      m_pool->blocks.insert(offset);
      m_pooled[offset] = m_pool;
    }
    m_inUse += rounded;
    m_peak = std::max(m_peak, m_inUse);
  }
  std::memset(m_open + offset, kNanByte, rounded);
  return m_hidden + offset;
}

void DeviceMemory::release(void* address) {
  if (address == nullptr) return;
  const auto offset = static_cast<std::size_t>(static_cast<char*>(address) - m_hidden);
  const std::lock_guard lock(m_mutex);
  const auto taken = m_taken.find(offset);
  if (taken == m_taken.end()) {
    std::fprintf(stderr, "stand-in device: memory is released that was not taken\n");
    std::abort();
  }
  if (const auto pooled = m_pooled.find(offset); pooled != m_pooled.end()) {
    pooled->second->released.insert(offset);
    return;
  }
  free(offset);
}

void DeviceMemory::free(std::size_t offset) {
  const auto taken = m_taken.find(offset);
  std::memset(m_open + offset, kNanByte, taken->second);
  m_inUse -= taken->second;
  m_spare[taken->second].push_back(offset);
  m_taken.erase(taken);
}

void DeviceMemory::take(Pool* pool) {
  const std::lock_guard lock(m_mutex);
  m_pool = pool;
}

void DeviceMemory::forget(Pool& pool) {
  const std::lock_guard lock(m_mutex);
  for (const std::size_t offset : pool.blocks) std::memset(m_open + offset, kNanByte, m_taken.at(offset));
}

void DeviceMemory::close(Pool& pool) {
  const std::lock_guard lock(m_mutex);
  for (const std::size_t offset : pool.blocks) m_pooled.erase(offset);
  for (const std::size_t offset : pool.released) free(offset);
}

bool DeviceMemory::holds(const void* address) const {
  const char* byte = static_cast<const char*>(address);
  return byte >= m_hidden && byte < m_hidden + kRange;
}

void* DeviceMemory::readable(const void* address) const {
  if (address == nullptr) return nullptr;
  if (!holds(address)) {
    std::fprintf(stderr, "stand-in device: a tensor of the device lies at a host address\n");
    std::abort();
  }
  return m_open + (static_cast<const char*>(address) - m_hidden);
}

void* DeviceMemory::shown(const void* readable) const {
  const char* byte = static_cast<const char*>(readable);
  return byte >= m_open && byte < m_open + kRange ? m_hidden + (byte - m_open) : nullptr;
}

std::size_t DeviceMemory::inUse() const {
  const std::lock_guard lock(m_mutex);
  return m_inUse;
}

std::size_t DeviceMemory::peak() const {
  const std::lock_guard lock(m_mutex);
  return m_peak;
}

void DeviceMemory::forgetPeak() {
  const std::lock_guard lock(m_mutex);
  m_peak = m_inUse;
}

}  // namespace fathom::stand_in
