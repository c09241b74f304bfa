// SPDX-License-Identifier: Apache-2.0
#include "core/serve/local_socket.h"

#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/base/errors/error_key.h"
#include "core/base/files/input_file.h"
#include "core/base/files/path_facts.h"
#include "core/record/runs/run_lock.h"

namespace fathom {

namespace {

constexpr int kBacklog = 16;
constexpr int kLockTries = 20;

Result<sockaddr_un> addressOf(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path)
    return unavailableError(Phrase::tr("a socket cannot be at '%1'")(path),
                            Phrase::tr("its path has at most %1 bytes")(sizeof address.sun_path - 1));
  std::memcpy(address.sun_path, path.c_str(), path.size());
  return address;
}

Error servedAlready(const std::string& path) {
  return aboutFile(path,
                   unavailableError(Phrase::tr("%1 is served already")(path),
                                    Phrase::tr("ask the server that is there, or name another socket")));
}

// The lock of the path, or why there is none. A server that ends takes its lock file away: a lock on a file
// that is not there any more is tried again.
Result<LocalSocket> lockOf(const std::string& path) {
  const std::string name = path + ".lock";
  for (int i = 0; i < kLockTries; ++i) {
    FATHOM_TRY(const int fd, openLockFile(name));
    LocalSocket lock(fd);
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0) return servedAlready(path);
    struct stat held {
    }, there{};
    if (::fstat(fd, &held) == 0 && ::lstat(name.c_str(), &there) == 0 && held.st_ino == there.st_ino &&
        held.st_dev == there.st_dev)
      return lock;
  }
  return servedAlready(path);
}

Status makeSocketFolder(const std::string& path) {
  const std::string folder = std::filesystem::path(absolutePath(path)).parent_path().string();
  if (folderExists(folder)) return {};
  if (::mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST) return {};
  return inputError(Phrase::tr("cannot make the folder of a socket"), folder, errno);
}

// Removes the socket of a killed server; anything else stays and is named.
Status clearPlace(const std::string& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) return {};
  if (isDeadSocket(path)) {
    ::unlink(path.c_str());
    return {};
  }
  if (S_ISSOCK(info.st_mode)) return servedAlready(path);
  return aboutFile(path, unavailableError(Phrase::tr("%1 is there and is no socket")(path),
                                          Phrase::tr("name another socket")));
}

}  // namespace

LocalSocket::LocalSocket(LocalSocket&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}

LocalSocket& LocalSocket::operator=(LocalSocket&& other) noexcept {
  if (this != &other) {
    close();
    m_fd = std::exchange(other.m_fd, -1);
  }
  return *this;
}

void LocalSocket::close() {
  if (m_fd >= 0) ::close(std::exchange(m_fd, -1));
}

Result<LocalListener> LocalListener::open(const std::string& path) {
  FATHOM_TRY(const sockaddr_un address, addressOf(path));
  FATHOM_CHECK(makeSocketFolder(path));
  FATHOM_TRY(LocalSocket lock, lockOf(path));
  FATHOM_CHECK(clearPlace(path));
  LocalSocket socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  // The mode of the descriptor is that of the socket that bind makes: it is never open to others.
  const bool made = socket.isOpen() && ::fchmod(socket.fd(), 0600) == 0 &&
                    ::bind(socket.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
                    ::chmod(path.c_str(), 0600) == 0 && ::listen(socket.fd(), kBacklog) == 0;
  if (!made) {
    const int code = errno;
    ::unlink((path + ".lock").c_str());
    return inputError(Phrase::tr("cannot open the socket"), path, code);
  }
  return LocalListener(path, std::move(lock), std::move(socket));
}

LocalListener::~LocalListener() {
  if (!m_socket.isOpen()) return;  // moved from
  ::unlink(m_path.c_str());
  ::unlink((m_path + ".lock").c_str());
}

LocalSocket LocalListener::accept() const {
  return LocalSocket(::accept4(m_socket.fd(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
}

Result<LocalSocket> connectLocal(const std::string& path) {
  FATHOM_TRY(const sockaddr_un address, addressOf(path));
  LocalSocket socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.isOpen()) return systemError(Phrase::tr("cannot open a socket for"), path, errno);
  if (::connect(socket.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return inputError(Phrase::tr("nobody serves at"), path, errno);
  return socket;
}

}  // namespace fathom
