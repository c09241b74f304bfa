// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <vector>

namespace fathom::stand_in {

// The memory of the device in two ranges of addresses. A tensor shows the address of a byte in the first one,
// which nobody can read; the byte itself lies at the same place of the second one. Thread-safe.
class DeviceMemory {
 public:
  static DeviceMemory& instance();

  // Memory that holds NaN, as an address that cannot be read. Throws c10::OutOfMemoryError beyond
  // FATHOM_DEVICE_MEMORY.
  void* allocate(std::size_t bytes);
  void release(void* address);
  // Where the bytes of such an address can be read; ends the process for an address that is not the device's.
  void* readable(const void* address) const;
  // The reverse; null for what is no readable address of the device.
  void* shown(const void* readable) const;
  bool holds(const void* address) const;

  // Memory of a graph: blocks that were taken while it was open, and those of them that were released since,
  // which nobody else gets before it is closed.
  struct Pool {
    std::set<std::size_t> blocks, released;  // offsets
  };
  void take(Pool* pool);    // opens it, null: closes the one that is open
  void forget(Pool& pool);  // its memory holds NaN
  void close(Pool& pool);   // no graph works on it any more

  std::size_t size() const { return m_size; }
  std::size_t inUse() const;
  std::size_t peak() const;
  void forgetPeak();

 private:
  DeviceMemory();
  void free(std::size_t offset);

  char* m_hidden = nullptr;
  char* m_open = nullptr;
  std::size_t m_size = 0;
  mutable std::mutex m_mutex;
  std::size_t m_end = 0;                                    // of what was ever handed out
  std::map<std::size_t, std::size_t> m_taken;               // offset, bytes
  std::map<std::size_t, std::vector<std::size_t>> m_spare;  // bytes, offsets
  std::map<std::size_t, Pool*> m_pooled;                    // offset; of pools that are not closed
  Pool* m_pool = nullptr;
  std::size_t m_inUse = 0, m_peak = 0;
};

}  // namespace fathom::stand_in
