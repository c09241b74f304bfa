// SPDX-License-Identifier: Apache-2.0
#include "core/machine/host_load.h"

#include <filesystem>
#include <sstream>

#include "core/base/files/atomic_file.h"
#include "core/base/text/lines_of.h"

namespace fathom {

namespace {

constexpr std::size_t kMostHostText = std::size_t{1} << 20;

}  // namespace

HostLoad HostLook::look() {
  HostLoad load;
  if (const auto stat = readFile(m_root + "/stat", kMostHostText); stat.ok()) {
    // cpu  user nice system idle iowait irq softirq steal …
    std::istringstream words(*stat);
    std::string name;
    words >> name;
    constexpr int kFields = 8, kIdle = 3, kWaiting = 4;
    std::int64_t idle = 0, all = 0, ticks = 0;
    for (int field = 0; field < kFields && words >> ticks; ++field) {
      all += ticks;
      if (field == kIdle || field == kWaiting) idle += ticks;
    }
    if (m_all > 0 && all > m_all)
      load.cpuPercent = 100 * (1 - static_cast<double>(idle - m_idle) / static_cast<double>(all - m_all));
    m_idle = idle;
    m_all = all;
  }
  if (const auto memory = readFile(m_root + "/meminfo", kMostHostText); memory.ok()) {
    LinesOf lines(*memory);
    std::int64_t available = 0;
    for (std::string_view line; lines.next(line);) {
      std::istringstream words{std::string(line)};
      std::string key;
      std::int64_t kib = 0;
      words >> key >> kib;
      if (key == "MemTotal:") load.totalBytes = kib * 1024;
      if (key == "MemAvailable:") available = kib * 1024;
    }
    load.memoryBytes = available > 0 ? load.totalBytes - available : 0;
  }
  return load;
}

std::optional<std::int64_t> freeDiskBytes(const std::string& path) {
  std::error_code code;
  const auto space = std::filesystem::space(path, code);
  if (code) return std::nullopt;
  return static_cast<std::int64_t>(space.available);
}

}  // namespace fathom
