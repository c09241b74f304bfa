// SPDX-License-Identifier: Apache-2.0
#include "core/relay/stored_data.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/files/path_facts.h"
#include "core/relay/run_mirror.h"

namespace fathom {

namespace {

constexpr const char* kBlob = "/content";

bool isSum(const std::string& text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

bool isPlainName(const std::string& name) {
  return isPathInside(name) && name.find('/') == std::string::npos && "/" + name != kBlob;
}

Error strangeName(const std::string& name) {
  return dataError(Phrase::tr("'%1' is no name of a file")(name));
}

Status linkTo(const std::string& from, const std::string& to) {
  if (::link(from.c_str(), to.c_str()) == 0 || errno == EEXIST) return {};
  // Some file systems have no second names.
  if (::symlink(from.c_str(), to.c_str()) == 0 || errno == EEXIST) return {};
  return systemError(Phrase::tr("cannot write"), to, errno);
}

Status appendAt(const std::string& path, std::uint64_t at, std::string_view bytes) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) return systemError(Phrase::tr("cannot write"), path, errno);
  Status written;
  if (::lseek(fd, static_cast<off_t>(at), SEEK_SET) < 0)
    written = systemError(Phrase::tr("cannot write"), path, errno);
  if (written.ok()) written = writeAll(fd, bytes, path);
  if (!written.ok() && ::ftruncate(fd, static_cast<off_t>(at)) != 0) ::unlink(path.c_str());
  ::close(fd);
  return written;
}

}  // namespace

std::string StoredData::partPath(const std::string& sha256) const {
  return m_folder + "/" + sha256 + ".part";
}

Result<std::string> StoredData::named(const std::string& sha256, const std::string& name) const {
  const std::string path = m_folder + "/" + sha256 + "/" + name;
  FATHOM_CHECK(linkTo(m_folder + "/" + sha256 + kBlob, path));
  return path;
}

Result<StoredData::Place> StoredData::find(const std::string& sha256, std::uint64_t bytes,
                                           const std::string& name, const std::string& path) {
  if (!isSum(sha256) || !isPlainName(name)) return strangeName(name);
  struct stat info {};
  if (!path.empty() && ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
      static_cast<std::uint64_t>(info.st_size) == bytes) {
    std::string& sum = m_sums[path + "/" + std::to_string(bytes) + "/" + std::to_string(info.st_mtim.tv_sec) +
                              "." + std::to_string(info.st_mtim.tv_nsec)];
    if (sum.empty())
      if (auto read = sha256OfFile(path); read.ok()) sum = *read;
    if (sum == sha256) return Place{path};
  }
  if (fileExists(m_folder + "/" + sha256 + kBlob) && fileBytes(m_folder + "/" + sha256 + kBlob) == bytes) {
    FATHOM_TRY(std::string there, named(sha256, name));
    return Place{std::move(there)};
  }
  const std::uint64_t have = fileBytes(partPath(sha256));
  return Place{{}, have < bytes ? have : 0};
}

Result<StoredData::Place> StoredData::put(const std::string& sha256, std::uint64_t bytes,
                                          const std::string& name, std::uint64_t at, std::string_view piece) {
  if (!isSum(sha256) || !isPlainName(name)) return strangeName(name);
  const std::string part = partPath(sha256);
  FATHOM_CHECK(makeFolders(m_folder));
  if (at > fileBytes(part) || at + piece.size() > bytes)
    return dataError(Phrase::tr("what was sent does not belong to what is there: %1")(part),
                     Phrase::tr("the connection is made again"));
  FATHOM_CHECK(appendAt(part, at, piece));
  if (at + piece.size() < bytes) return Place{{}, at + piece.size()};
  FATHOM_TRY(const std::string sum, sha256OfFile(part));
  if (sum != sha256) {
    ::unlink(part.c_str());
    return dataError(Phrase::tr("the file changed while it was sent: %1")(name),
                     Phrase::tr("start it again when nobody writes to it"));
  }
  FATHOM_CHECK(makeFolders(m_folder + "/" + sha256));
  FATHOM_CHECK(renamePath(part, m_folder + "/" + sha256 + kBlob));
  FATHOM_TRY(std::string there, named(sha256, name));
  return Place{std::move(there), bytes};
}

Result<std::string> StoredData::folder(const std::string& sha256, const std::string& name,
                                       const std::map<std::string, std::string>& files) {
  if (!isSum(sha256) || !isPlainName(name)) return strangeName(name);
  const std::string target = m_folder + "/" + sha256 + "/" + name;
  if (folderExists(target)) return target;
  const std::string aside = target + ".part";
  for (const auto& [file, sum] : files) {
    if (!isPathInside(file) || !isSum(sum)) return strangeName(file);
    const std::string path = aside + "/" + file;
    FATHOM_CHECK(makeFolders(std::filesystem::path(path).parent_path().string()));
    FATHOM_CHECK(linkTo(m_folder + "/" + sum + kBlob, path));
  }
  FATHOM_CHECK(makeFolders(aside));
  FATHOM_CHECK(renamePath(aside, target));
  return target;
}

}  // namespace fathom
