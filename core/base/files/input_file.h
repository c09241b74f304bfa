// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/base/errors/result.h"

namespace fathom {

// Opens a file to be read, everywhere: a regular file and nothing else. A named pipe or a device
// may block for ever or never end, so they are refused without having been waited for. Descriptor for
// reading, closed on exec; the caller closes it. Unavailable, naming the path, when it cannot be had. A link
// is followed unless `followLinks` is false.
Result<int> openInput(const std::string& path, bool followLinks = true);
// The same for a file that only carries a lock: made when it is not there, open for reading and writing.
Result<int> openLockFile(const std::string& path);

// openInput with its descriptor closed at the end, and reading that goes on after interruptions.
class RegularFile {
 public:
  static Result<RegularFile> open(const std::string& path, bool followLinks = true);
  RegularFile(RegularFile&& other) noexcept;
  RegularFile& operator=(RegularFile&& other) noexcept;
  RegularFile(const RegularFile&) = delete;
  RegularFile& operator=(const RegularFile&) = delete;
  ~RegularFile();

  const std::string& path() const { return m_path; }
  std::uint64_t size() const { return m_size; }  // when it was opened; 0 for files of /proc
  // Up to `count` bytes from `offset` on; fewer only at the end, 0 at the end.
  Result<std::size_t> readAt(std::uint64_t offset, char* to, std::size_t count) const;

 private:
  RegularFile(int fd, std::string path) : m_fd(fd), m_path(std::move(path)) {}
  int m_fd = -1;
  std::string m_path;
  std::uint64_t m_size = 0;
};

}  // namespace fathom
