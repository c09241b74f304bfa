// SPDX-License-Identifier: Apache-2.0
#include "core/relay/stored_data.h"

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
  // Some file systems have no second names, or not as many.
  const bool noNames =
      errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS || errno == EMLINK || errno == EXDEV;
  if (noNames && (::symlink(from.c_str(), to.c_str()) == 0 || errno == EEXIST)) return {};
  return systemError(Phrase::tr("cannot write"), to, errno);
}

}  // namespace

std::string StoredData::partPath(const std::string& sha256) const {
  return m_folder + "/" + sha256 + ".part";
}

bool StoredData::isStored(const std::string& sha256, std::uint64_t bytes) const {
  const std::string path = m_folder + "/" + sha256 + kBlob;
  return fileExists(path) && fileBytes(path) == bytes;
}

Result<StoredData::Place> StoredData::named(const std::string& sha256, std::uint64_t bytes,
                                            const std::string& name) const {
  std::string path = m_folder + "/" + sha256 + "/" + name;
  FATHOM_CHECK(linkTo(m_folder + "/" + sha256 + kBlob, path));
  return Place{std::move(path), bytes};
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
  if (isStored(sha256, bytes)) return named(sha256, bytes, name);
  const std::string part = partPath(sha256);
  // All of it came, and the relay ended before it was looked at.
  if (fileExists(part) && fileBytes(part) == bytes)
    if (auto place = complete(sha256, bytes, name); place.ok() || isDiskError(place.error())) return place;
  if (fileBytes(part) > bytes) ::unlink(part.c_str());
  return Place{{}, fileBytes(part)};
}

Result<StoredData::Place> StoredData::put(const std::string& sha256, std::uint64_t bytes,
                                          const std::string& name, std::uint64_t at, std::string_view piece) {
  if (!isSum(sha256) || !isPlainName(name)) return strangeName(name);
  const std::string part = partPath(sha256);
  FATHOM_CHECK(makeFolders(m_folder));
  // Another one may send the same at the same time: what it has brought is there.
  if (isStored(sha256, bytes)) return named(sha256, bytes, name);
  if (const std::uint64_t have = fileBytes(part); at > have) return Place{{}, have};
  if (at + piece.size() > bytes)
    return dataError(Phrase::tr("what was sent does not belong to what is there: %1")(part),
                     Phrase::tr("the connection is made again"));
  FATHOM_CHECK(writePiece(part, at, false, piece));
  if (at + piece.size() < bytes) return Place{{}, at + piece.size()};
  return complete(sha256, bytes, name);
}

Result<StoredData::Place> StoredData::complete(const std::string& sha256, std::uint64_t bytes,
                                               const std::string& name) {
  const std::string part = partPath(sha256);
  const auto sum = sha256OfFile(part);
  if (isStored(sha256, bytes)) return named(sha256, bytes, name);
  if (!sum.ok()) return sum.error();
  if (*sum != sha256) {
    ::unlink(part.c_str());
    return dataError(Phrase::tr("the file changed while it was sent: %1")(name),
                     Phrase::tr("start it again when nobody writes to it"));
  }
  FATHOM_CHECK(makeFolders(m_folder + "/" + sha256));
  const Status renamed = renamePath(part, m_folder + "/" + sha256 + kBlob);
  if (!renamed.ok() && !isStored(sha256, bytes)) return renamed.error();
  return named(sha256, bytes, name);
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
  const Status renamed = renamePath(aside, target);
  if (renamed.ok()) return target;
  if (!folderExists(target)) return renamed.error();
  // Another one was first.
  std::error_code code;
  std::filesystem::remove_all(aside, code);
  return target;
}

}  // namespace fathom
