// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fathom {

// Load of a process and of all that it has started, as far as they live.
struct ProcessLoad {
  double cpuSeconds = 0;           // since their beginning, children that have ended included
  std::int64_t memoryBytes = 0;    // physical; pages that the processes share count once
  std::int64_t peakBytes = 0;      // the same, the most of each
  std::int64_t writtenBytes = -1;  // to disks, since their beginning; -1 = the system does not tell
  std::vector<std::int64_t> processes;
};

// From the files of /proc (`root` for tests). Nothing where there is no such process, or it is a zombie. Any
// thread.
std::optional<ProcessLoad> processLoad(std::int64_t pid, const std::string& root = "/proc");

}  // namespace fathom
