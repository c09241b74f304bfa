// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fathom {

// A control group of ours that counts memory, of version 2 (unified) or 1.
struct MemoryGroup {
  bool unified = false;
  // Folders of the group: its path below the place its tree is mounted at. A container may see its own group
  // as the whole tree although the path is told as outside.
  std::vector<std::string> folders;
};
// `root`: of the file system, for tests.
std::vector<MemoryGroup> memoryGroups(const std::string& root = {});

// Bytes that this process could still take, and why not more.
struct MemoryRoom {
  std::int64_t free = 0, total = 0;
  bool limited = false;  // by a control group; else by the machine
};
// The least of what the kernel calls available (/proc/meminfo) and what is left to each control group that we
// are in (its file cache counts as free). Nothing where the system does not tell.
std::optional<MemoryRoom> memoryRoom(const std::string& root = {});

// Physical memory of this process: now, and the most there was. 0 where the system does not tell.
std::int64_t residentBytes();
std::int64_t mostResidentBytes();

}  // namespace fathom
