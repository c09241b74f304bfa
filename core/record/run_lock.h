// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/base/json.h"
#include "core/base/result.h"

namespace fathom {

struct LockHolder {
  std::int64_t pid = 0;
  std::string host;
  std::string bootId;
  std::string startTime;   // process start, /proc ticks
  std::string socketPath;  // control socket of a running engine
  bool foreign = false;    // held on another host (a shared file system)
};

// The run's single-writer lock: flock on <run>/lock for life, holder written into it.
class RunLock {
 public:
  // Resource error naming the holder when it is taken; a clear error when the folder is read-only.
  static Result<std::unique_ptr<RunLock>> acquire(const std::string& runPath, const std::string& socketPath);
  ~RunLock();

 private:
  explicit RunLock(int fd) : m_fd(fd) {}
  int m_fd;
};
// Who holds the lock now, or nothing.
std::optional<LockHolder> runLockHolder(const std::string& runPath);
// Socket for a run: $XDG_RUNTIME_DIR/fathom/<uuid>.sock, else a 0700 folder under the temporary directory (<=
// 107 bytes).
Result<std::string> controlSocketPath(const std::string& uuid);
// Sends "checkpoint", "stop" or "abort" to a running engine as one line on its socket; no answer is expected.
// Where the socket does not answer, stop becomes SIGTERM and abort SIGKILL to the very process of the lock.
Status sendControl(const std::string& runPath, const std::string& command);

}  // namespace fathom
