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
  std::string socketPath;       // control socket of a running engine, "" = none
  bool foreign = false;         // held on another host (a shared file system)
  bool looksForWishes = false;  // in the folder `control` of the run (control_folder.h)
};

inline constexpr const char* kRunLockName = "lock";

// The run's single-writer lock: flock on <run>/lock for life, holder written into it. It knows its folder by
// device and inode, not by the path.
class RunLock {
 public:
  // Resource error naming the holder when it is taken; a clear error when the folder is read-only.
  static Result<std::unique_ptr<RunLock>> acquire(const std::string& runPath, const std::string& socketPath);
  ~RunLock();
  // Present path of the folder: it may have been moved or renamed on its disk. std::nullopt once it was
  // deleted, or moved to another disk; one that cannot be looked at is taken to be where it was.
  std::optional<std::string> folder() const;

 private:
  RunLock(int fd, const std::string& runPath);
  int m_fd;
  std::string m_path;  // of the folder when it was locked
  int m_folder;        // the folder itself, held so that no other can get its inode; -1 = could not be opened
};
// The error of a writer whose folder is not there any more.
Error goneError(const std::string& runPath);
// Who holds the lock now, or nothing.
std::optional<LockHolder> runLockHolder(const std::string& runPath);
struct ControlSocket {
  std::string path;  // "" = there is none: commands come as signals then
  std::string note;  // what a person should know: why it is not in the usual folder
};
// Path for a run's socket: $XDG_RUNTIME_DIR/fathom/<uuid>-<mark of the folder>.sock, else a folder of this
// user's alone under the temporary directory (at most 107 bytes in all). The mark is of device and inode: a
// copy of a run has the same UUID and another folder. Without `runPath` there is no mark. A folder that
// somebody else has, or that others may use, is passed over and named in `note`.
ControlSocket chooseControlSocket(const std::string& uuid, const std::string& runPath = {});
// Sockets that a killed engine of this run left behind. For whoever knows that the run is not running.
std::vector<std::string> deadSocketsOf(const std::string& uuid);
void removeDeadSockets(const std::string& uuid);
bool isDeadSocket(const std::string& path);
// Sends "checkpoint", "stop" or "abort" to a running engine as one line on its socket; no answer is expected.
// The socket is that of the folder, or is served by the process that holds its lock; no other hears a word.
// Where the socket does not answer, stop becomes SIGTERM and abort SIGKILL to the very process of the lock. A
// holder on another host finds it as a file in the run's folder, where it says that it looks
// (control_folder.h).
Status sendControl(const std::string& runPath, const std::string& command);

}  // namespace fathom
