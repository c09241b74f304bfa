// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/files/process_identity.h"
#include "core/base/json/json.h"

namespace fathom {

struct LockHolder : ProcessIdentity {
  std::string socketPath;  // control socket of a running engine, "" = none
  bool foreign = false;    // held on another host (a shared file system)
};

inline constexpr const char* kRunLockName = "lock";

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
struct ControlSocket {
  std::string path;  // "" = there is none: commands come as signals then
  std::string note;  // what a person should know: why it is not in the usual folder
};
// Where a run's socket goes: $XDG_RUNTIME_DIR/fathom/<uuid>.sock, else a folder of this user's alone under
// the temporary directory (at most 107 bytes in all). A folder that somebody else has, or that others may
// use, is passed over and named in `note`.
ControlSocket chooseControlSocket(const std::string& uuid);
// Sockets that a killed engine of this run left behind. For whoever knows that the run is not running.
std::vector<std::string> deadSocketsOf(const std::string& uuid);
void removeDeadSockets(const std::string& uuid);
bool isDeadSocket(const std::string& path);
// Sends "checkpoint", "stop" or "abort" to a running engine as one line on its socket; no answer is expected.
// Where the socket does not answer, stop becomes SIGTERM and abort SIGKILL to the very process of the lock.
Status sendControl(const std::string& runPath, const std::string& command);

}  // namespace fathom
