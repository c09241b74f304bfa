// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "core/base/errors/error_key.h"

namespace fathom {

namespace {

Phrase kindOf(mode_t mode) {
  if (S_ISFIFO(mode)) return Phrase::tr("a named pipe");
  if (S_ISCHR(mode) || S_ISBLK(mode)) return Phrase::tr("a device");
  if (S_ISSOCK(mode)) return Phrase::tr("a socket");
  return Phrase::tr("not a file");
}

Error notRegular(const std::string& path, mode_t mode) {
  if (S_ISDIR(mode)) return inputError(Phrase::tr("cannot read"), path, EISDIR);
  return aboutFile(
      path, unavailableError(Phrase::tr("cannot read %1: it is %2, not a regular file")(path, kindOf(mode)),
                             Phrase::tr("put a regular file in its place")));
}

// `fd` when it is a regular file; closed otherwise.
Result<int> regularOnly(int fd, const std::string& path) {
  struct stat info {};
  if (::fstat(fd, &info) != 0) {
    const int code = errno;
    ::close(fd);
    return inputError(Phrase::tr("cannot read"), path, code);
  }
  if (S_ISREG(info.st_mode)) return fd;
  ::close(fd);
  return notRegular(path, info.st_mode);
}

// O_NONBLOCK: opening a pipe would wait for its other end. Reading regular files is the same with it.
constexpr int kInputFlags = O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

}  // namespace

Result<int> openInput(const std::string& path, bool followLinks) {
  // Opening a device may do things; what is known to be no file is not opened at all.
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) return notRegular(path, info.st_mode);
  const int fd = ::open(path.c_str(), O_RDONLY | kInputFlags | (followLinks ? 0 : O_NOFOLLOW));
  if (fd < 0) return inputError(Phrase::tr("cannot open"), path, errno);
  return regularOnly(fd, path);
}

Result<int> openLockFile(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) return notRegular(path, info.st_mode);
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | kInputFlags, 0644);
  if (fd < 0) return systemError(Phrase::tr("cannot open"), path, errno);
  return regularOnly(fd, path);
}

Result<RegularFile> RegularFile::open(const std::string& path, bool followLinks) {
  FATHOM_TRY(const int fd, openInput(path, followLinks));
  RegularFile file(fd, path);
  struct stat info {};
  if (::fstat(fd, &info) != 0) return inputError(Phrase::tr("cannot read"), path, errno);
  file.m_size = static_cast<std::uint64_t>(info.st_size);
  return file;
}

RegularFile::RegularFile(RegularFile&& other) noexcept
    : m_fd(std::exchange(other.m_fd, -1)), m_path(std::move(other.m_path)), m_size(other.m_size) {}

RegularFile& RegularFile::operator=(RegularFile&& other) noexcept {
  std::swap(m_fd, other.m_fd);
  std::swap(m_path, other.m_path);
  std::swap(m_size, other.m_size);
  return *this;
}

RegularFile::~RegularFile() {
  if (m_fd >= 0) ::close(m_fd);
}

Result<std::size_t> RegularFile::readAt(std::uint64_t offset, char* to, std::size_t count) const {
  std::size_t done = 0;
  while (done < count) {
    const ssize_t got = ::pread(m_fd, to + done, count - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return inputError(Phrase::tr("cannot read"), m_path, errno);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

}  // namespace fathom
