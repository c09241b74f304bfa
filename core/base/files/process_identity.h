// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace fathom {

// Which process, for good. A process id alone names another process after a restart: in a container the first
// process has the same small id every time. Locks, claims and temporary files carry all of it.
struct ProcessIdentity {
  std::int64_t pid = 0;
  std::string host;
  std::string bootId;     // of the kernel's start; "" where the system does not tell
  std::string startTime;  // ticks of /proc/PID/stat since then; "" where the system does not tell
  bool operator==(const ProcessIdentity&) const = default;
};

const ProcessIdentity& thisProcess();
// The process that runs under this id on this machine now; startTime is "" when none does.
ProcessIdentity processWithId(std::int64_t pid);
// True if exactly this process runs on this machine, a zombie not counted. False for one of another host or
// boot, and for one of another container, whose processes cannot be seen.
bool processLives(const ProcessIdentity& process);

// This machine's name, with nothing but letters, digits, '.', '-' and '_', so that files may be named by it.
std::string hostName();
std::string bootId();

}  // namespace fathom
