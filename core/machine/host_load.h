// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace fathom {

// Load of the whole machine, whoever causes it.
struct HostLoad {
  std::optional<double> cpuPercent;  // of all cores, since the last look; nothing at the first
  std::int64_t memoryBytes = 0;      // in use: what a new program could not have
  std::int64_t totalBytes = 0;       // of memory; 0 = the system does not tell
};

// Looks at /proc (`root` for tests). Not thread-safe.
class HostLook {
 public:
  explicit HostLook(std::string root = "/proc") : m_root(std::move(root)) {}
  HostLoad look();

 private:
  std::string m_root;
  std::int64_t m_idle = 0, m_all = 0;  // ticks at the last look
};

// Bytes that this user may still write where `path` lies; nothing where that cannot be told.
std::optional<std::int64_t> freeDiskBytes(const std::string& path);

}  // namespace fathom
