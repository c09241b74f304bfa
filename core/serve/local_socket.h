// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/errors/result.h"

namespace fathom {

// A descriptor that is closed at the end.
class LocalSocket {
 public:
  LocalSocket() = default;
  explicit LocalSocket(int fd) : m_fd(fd) {}
  LocalSocket(LocalSocket&& other) noexcept;
  LocalSocket& operator=(LocalSocket&& other) noexcept;
  LocalSocket(const LocalSocket&) = delete;
  LocalSocket& operator=(const LocalSocket&) = delete;
  ~LocalSocket() { close(); }
  int fd() const { return m_fd; }
  bool isOpen() const { return m_fd >= 0; }
  void close();

 private:
  int m_fd = -1;
};

// A server's end: a socket of mode 0600 at `path`, in a folder that is made (mode 0700) where it is missing.
// A lock beside it (`path`.lock) says that somebody serves, so a socket without one is a dead one and is
// replaced. Unavailable: it is served already, the path is too long, something else is there.
class LocalListener {
 public:
  static Result<LocalListener> open(const std::string& path);
  LocalListener(LocalListener&&) noexcept = default;
  LocalListener& operator=(LocalListener&&) noexcept = default;
  // The socket goes, and its lock.
  ~LocalListener();
  int fd() const { return m_socket.fd(); }
  // The next client, not blocking; closed where there is none.
  LocalSocket accept() const;

 private:
  LocalListener(std::string path, LocalSocket lock, LocalSocket socket)
      : m_path(std::move(path)), m_lock(std::move(lock)), m_socket(std::move(socket)) {}
  std::string m_path;
  LocalSocket m_lock, m_socket;
};

// A client's end, not blocking. Unavailable where nobody serves.
Result<LocalSocket> connectLocal(const std::string& path);

}  // namespace fathom
