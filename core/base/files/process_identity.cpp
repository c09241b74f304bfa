// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/process_identity.h"

#include <signal.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <optional>

#include "core/base/files/atomic_file.h"

namespace fathom {

namespace {

struct ProcessState {
  std::string startTime;
  bool zombie = false;  // ended, but nobody has waited for it
};

// Field 3 (state) and 22 (start) of /proc/PID/stat, counted after the program's name, which may hold spaces
// and brackets.
std::optional<ProcessState> stateOf(std::int64_t pid) {
  const auto text = readFile("/proc/" + std::to_string(pid) + "/stat", std::size_t{1} << 16);
  if (!text.ok()) return std::nullopt;
  std::size_t at = text->rfind(')');
  if (at == std::string::npos) return std::nullopt;
  ProcessState state;
  state.zombie = text->compare(at, 3, ") Z") == 0;
  for (int field = 2; field < 22 && at != std::string::npos; ++field) at = text->find(' ', at + 1);
  if (at != std::string::npos) state.startTime = text->substr(at + 1, text->find(' ', at + 1) - at - 1);
  return state;
}

}  // namespace

std::string hostName() {
  char name[256] = {};
  if (::gethostname(name, sizeof name - 1) != 0 || name[0] == '\0') return "localhost";
  std::string plain = name;
  for (char& c : plain) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '-') c = '_';
  }
  return plain;
}

std::string bootId() {
  auto text = readFile("/proc/sys/kernel/random/boot_id", 256);
  if (!text.ok()) return {};
  while (!text->empty() && text->back() == '\n') text->pop_back();
  return *text;
}

ProcessIdentity processWithId(std::int64_t pid) {
  const auto state = stateOf(pid);
  return {pid, hostName(), bootId(), state ? state->startTime : std::string()};
}

const ProcessIdentity& thisProcess() {
  thread_local ProcessIdentity identity;
  if (identity.pid != ::getpid()) identity = processWithId(::getpid());  // a forked child is another process
  return identity;
}

bool processLives(const ProcessIdentity& process) {
  if (process.pid <= 0 || process.host != hostName() || process.bootId != bootId()) return false;
  // Without /proc nothing tells the one from the other.
  if (thisProcess().startTime.empty())
    return ::kill(static_cast<pid_t>(process.pid), 0) == 0 || errno == EPERM;
  const auto state = stateOf(process.pid);
  return state && !state->zombie && state->startTime == process.startTime;
}

}  // namespace fathom
