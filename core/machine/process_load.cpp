// SPDX-License-Identifier: Apache-2.0
#include "core/machine/process_load.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "core/base/files/atomic_file.h"
#include "core/base/files/path_look.h"
#include "core/base/text/lines_of.h"

namespace fathom {

namespace {

constexpr std::size_t kMostProcText = std::size_t{1} << 20;
constexpr std::size_t kMostProcesses = 4096;  // a tree that grows faster than it is read ends somewhere

std::string procText(const std::string& path) {
  auto text = readFile(path, kMostProcText);
  return text.ok() ? std::move(*text) : std::string();
}

// The next number in `text`, which loses what was read; -1 at the end and where there is none.
std::int64_t nextNumber(std::string_view& text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t' || text.front() == '\n'))
    text.remove_prefix(1);
  std::int64_t value = -1;
  const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc()) return -1;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return value;
}

// The number behind `key` at the beginning of a line, or -1.
std::int64_t numberBehind(std::string_view text, std::string_view key) {
  LinesOf lines(text);
  for (std::string_view line; lines.next(line);) {
    if (!line.starts_with(key)) continue;
    line.remove_prefix(key.size());
    return nextNumber(line);
  }
  return -1;
}

// Fields 14 to 17 of /proc/PID/stat: ticks of the process and of its children that have ended. They are
// counted behind the program's name, which may hold spaces and brackets. Nothing of a zombie.
std::optional<std::int64_t> ticksOf(std::string_view stat) {
  const std::size_t name = stat.rfind(')');
  if (name == std::string_view::npos || name + 3 > stat.size()) return std::nullopt;
  std::string_view rest = stat.substr(name + 2);
  if (rest.front() == 'Z' || rest.front() == 'X') return std::nullopt;
  rest.remove_prefix(1);
  constexpr int kFirst = 14, kLast = 17;
  std::int64_t ticks = 0;
  for (int field = 4; field <= kLast; ++field) {
    const std::int64_t value = nextNumber(rest);
    if (field >= kFirst) ticks += std::max<std::int64_t>(value, 0);
  }
  return ticks;
}

// Children of each thread of the process.
void addChildren(const std::string& process, std::vector<std::int64_t>& pids) {
  const auto threads = entriesIn(process + "/task");
  if (!threads.ok()) return;
  for (const auto& thread : *threads) {
    const std::string text = procText(thread.path().string() + "/children");
    std::string_view rest(text);
    for (std::int64_t child = nextNumber(rest); child > 0; child = nextNumber(rest))
      if (std::find(pids.begin(), pids.end(), child) == pids.end()) pids.push_back(child);
  }
}

// The first process with all its pages, the others with those of their own: libraries are there once.
void addMemory(const std::string& process, bool first, ProcessLoad& load) {
  const std::string status = procText(process + "/status");
  const auto bytes = [&](std::string_view key) {
    return std::max<std::int64_t>(numberBehind(status, key), 0) * 1024;
  };
  const std::int64_t all = bytes("VmRSS:"), most = bytes("VmHWM:"), shared = bytes("RssFile:");
  load.memoryBytes += first ? all : std::max<std::int64_t>(all - shared, 0);
  load.peakBytes += first ? most : std::max<std::int64_t>(most - shared, 0);
}

}  // namespace

std::optional<ProcessLoad> processLoad(std::int64_t pid, const std::string& root) {
  static const auto kTicks = static_cast<double>(std::max(::sysconf(_SC_CLK_TCK), 1L));
  ProcessLoad load;
  std::vector<std::int64_t> pids = {pid};
  for (std::size_t i = 0; i < pids.size() && i < kMostProcesses; ++i) {
    const std::string process = root + "/" + std::to_string(pids[i]);
    const auto ticks = ticksOf(procText(process + "/stat"));
    if (!ticks) {
      if (i == 0) return std::nullopt;
      continue;  // it has ended meanwhile
    }
    load.cpuSeconds += static_cast<double>(*ticks) / kTicks;
    addMemory(process, i == 0, load);
    if (const std::int64_t written = numberBehind(procText(process + "/io"), "write_bytes:"); written >= 0)
      load.writtenBytes = std::max<std::int64_t>(load.writtenBytes, 0) + written;
    load.processes.push_back(pids[i]);
    addChildren(process, pids);
  }
  return load;
}

}  // namespace fathom
