// SPDX-License-Identifier: Apache-2.0
// One runner of a project on each host: the lock of queue_folder.h.
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>

#include "core/base/files/atomic_file.h"
#include "core/base/files/input_file.h"
#include "core/base/files/one_folder.h"
#include "core/library/queue/queue_folder.h"

namespace fathom {

Result<std::unique_ptr<QueueFolder::RunnerLock>> QueueFolder::lockRunner() const {
  FATHOM_CHECK(makeOneFolder(m_path));
  const std::string path = m_path + "/runner-" + hostName() + ".lock";
  FATHOM_TRY(const int fd, openLockFile(path));
  // Somebody who only asks (runnerPid) holds it for microseconds.
  for (int tries = 0; ::flock(fd, LOCK_EX | LOCK_NB) != 0; ++tries) {
    if (errno != EWOULDBLOCK && errno != EINTR) {
      const int code = errno;
      ::close(fd);
      return systemError(Phrase::tr("cannot lock"), path, code);
    }
    if (tries >= 20) {
      ::close(fd);
      return std::unique_ptr<RunnerLock>();
    }
    ::usleep(5000);
  }
  std::unique_ptr<RunnerLock> lock(new RunnerLock(fd, path));
  if (::ftruncate(fd, 0) != 0) return systemError(Phrase::tr("cannot write"), path, errno);
  FATHOM_CHECK(writeAll(fd, std::to_string(thisProcess().pid) + "\n", path));
  return lock;
}

QueueFolder::RunnerLock::~RunnerLock() {
  ::close(m_fd);
}

bool QueueFolder::RunnerLock::inPlace() const {
  struct stat held {
  }, there{};
  if (::fstat(m_fd, &held) != 0) return true;
  if (::stat(m_path.c_str(), &there) != 0) return errno != ENOENT && errno != ENOTDIR;
  return held.st_dev == there.st_dev && held.st_ino == there.st_ino;
}

std::int64_t QueueFolder::runnerPidOf(const std::string& host) const {
  const Result<int> opened = openInput(m_path + "/runner-" + host + ".lock");
  if (!opened.ok()) return 0;
  const int fd = *opened;
  std::int64_t pid = 0;
  if (::flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    char text[32] = {};
    const ssize_t count = ::read(fd, text, sizeof text - 1);
    if (count > 0) std::from_chars(text, text + count, pid);
  }
  ::close(fd);
  return pid;
}

}  // namespace fathom
