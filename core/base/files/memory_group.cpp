// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/memory_group.h"

#include <algorithm>
#include <sstream>

#include "core/base/files/atomic_file.h"

namespace fathom {

namespace {

constexpr std::size_t kMostText = std::size_t{1} << 22;
constexpr std::int64_t kNoLimit = std::int64_t{1} << 60;  // version 1 writes a number near 2^63

// "" where it cannot be read.
std::string textOf(const std::string& file) {
  auto text = readFile(file, kMostText);
  return text.ok() ? std::move(*text) : std::string();
}

std::vector<std::string> foldersOf(const std::string& root, const std::string& path, bool unified) {
  std::vector<std::string> folders;
  std::istringstream mounts(textOf(root + "/proc/self/mountinfo"));
  std::string line;
  while (std::getline(mounts, line)) {
    // <id> <parent> <device> <root> <place> … - <type> <source> <options>
    const std::size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    std::istringstream head(line.substr(0, dash)), tail(line.substr(dash + 3));
    std::string id, parent, device, mountRoot, place, type, source, options;
    head >> id >> parent >> device >> mountRoot >> place;
    tail >> type >> source >> options;
    const bool fits = unified
                          ? type == "cgroup2"
                          : type == "cgroup" && ("," + options + ",").find(",memory,") != std::string::npos;
    if (!fits) continue;
    if (mountRoot == "/") folders.push_back(root + place + path);
    if (mountRoot != "/" && (path == mountRoot || path.starts_with(mountRoot + "/")))
      folders.push_back(root + place + path.substr(mountRoot.size()));
    folders.push_back(root + place);
  }
  return folders;
}

std::optional<std::int64_t> numberIn(const std::string& file) {
  std::istringstream text(textOf(file));
  std::int64_t value = 0;
  if (!(text >> value)) return std::nullopt;  // "max", or no such file
  return value;
}

// The number behind `key` in lines of "<key>[:] <number> …".
std::optional<std::int64_t> valueOf(const std::string& file, const std::string& key) {
  std::istringstream lines(textOf(file));
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string word;
    std::int64_t value = 0;
    words >> word >> value;
    if (words && (word == key || word == key + ":")) return value;
  }
  return std::nullopt;
}

// Narrows the room to what is left to the group of this folder and to those above it.
void narrow(MemoryRoom& room, std::string folder, bool unified) {
  const char* limitFile = unified ? "/memory.max" : "/memory.limit_in_bytes";
  const char* usageFile = unified ? "/memory.current" : "/memory.usage_in_bytes";
  const char* cacheKey = unified ? "inactive_file" : "total_inactive_file";
  for (; !folder.empty(); folder.resize(folder.rfind('/'))) {
    const auto usage = numberIn(folder + usageFile), limit = numberIn(folder + limitFile);
    if (usage && limit && *limit < kNoLimit) {
      const std::int64_t cache = valueOf(folder + "/memory.stat", cacheKey).value_or(0);
      const std::int64_t left = std::max<std::int64_t>(0, *limit - std::max<std::int64_t>(0, *usage - cache));
      room.total = std::min(room.total, *limit);
      if (left < room.free) {
        room.free = left;
        room.limited = true;
      }
    }
    if (folder.rfind('/') == std::string::npos) return;
  }
}

std::int64_t ofStatus(const char* key) {
  return valueOf("/proc/self/status", key).value_or(0) * 1024;
}

}  // namespace

std::vector<MemoryGroup> memoryGroups(const std::string& root) {
  std::vector<MemoryGroup> groups;
  std::istringstream own(textOf(root + "/proc/self/cgroup"));
  std::string line;
  while (std::getline(own, line)) {
    // <number>:<controllers>:<path>; version 2 has number 0 and no controllers.
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const bool unified = controllers == ",,";
    if (!unified && controllers.find(",memory,") == std::string::npos) continue;
    groups.push_back({unified, foldersOf(root, line.substr(second + 1), unified)});
  }
  return groups;
}

std::optional<MemoryRoom> memoryRoom(const std::string& root) {
  const std::string machine = root + "/proc/meminfo";
  const auto total = valueOf(machine, "MemTotal"), available = valueOf(machine, "MemAvailable");
  if (!total || !available) return std::nullopt;
  MemoryRoom room{*available * 1024, *total * 1024, false};
  for (const MemoryGroup& group : memoryGroups(root)) {
    for (const std::string& folder : group.folders) {
      const char* usage = group.unified ? "/memory.current" : "/memory.usage_in_bytes";
      if (!numberIn(folder + usage)) continue;
      narrow(room, folder, group.unified);
      break;
    }
  }
  return room;
}

std::int64_t residentBytes() {
  return ofStatus("VmRSS");
}

std::int64_t mostResidentBytes() {
  return ofStatus("VmHWM");
}

}  // namespace fathom
