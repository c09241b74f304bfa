// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/path_look.h"

#include <sys/stat.h>

#include <cerrno>

#include "core/base/files/path_facts.h"

namespace fathom {

Result<bool> isThere(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0) return true;
  if (errno == ENOENT || errno == ENOTDIR) return false;
  return inputError(Phrase::tr("cannot look at"), path, errno);
}

Result<std::vector<std::filesystem::directory_entry>> entriesIn(const std::string& path) {
  std::error_code code;
  auto entries = listFolder(path, code);
  if (code && code != std::errc::no_such_file_or_directory)
    return inputError(Phrase::tr("cannot look into"), path, code.value());
  return entries;
}

Result<std::vector<std::filesystem::directory_entry>> contentsOf(const std::string& path) {
  std::error_code code;
  auto entries = listFolder(path, code);
  if (code) return inputError(Phrase::tr("cannot look into"), path, code.value());
  return entries;
}

Result<std::vector<std::filesystem::directory_entry>> treeBelow(const std::string& path) {
  // By folder, so that the error names the one that is closed.
  std::vector<std::filesystem::directory_entry> all;
  std::vector<std::string> open = {path};
  while (!open.empty()) {
    const std::string folder = std::move(open.back());
    open.pop_back();
    // One that has gone since it was listed holds nothing.
    FATHOM_TRY(auto entries, all.empty() ? contentsOf(folder) : entriesIn(folder));
    for (std::filesystem::directory_entry& entry : entries) {
      std::error_code code;
      // As the listing said: most file systems tell it without another question.
      if (!entry.is_symlink(code) && entry.is_directory(code)) open.push_back(entry.path().string());
      all.push_back(std::move(entry));
    }
  }
  return all;
}

Result<std::uintmax_t> sizeBelow(const std::string& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::uintmax_t{0};
    return inputError(Phrase::tr("cannot look at"), path, errno);
  }
  if (!S_ISDIR(info.st_mode)) return S_ISREG(info.st_mode) ? std::uintmax_t(info.st_size) : 0;
  std::uintmax_t bytes = 0;
  FATHOM_TRY(const auto entries, treeBelow(path));
  for (const std::filesystem::directory_entry& entry : entries)
    if (::lstat(entry.path().c_str(), &info) == 0 && S_ISREG(info.st_mode))
      bytes += static_cast<std::uintmax_t>(info.st_size);
  return bytes;
}

std::vector<std::filesystem::directory_entry> seenIn(const std::string& path) {
  std::error_code code;
  return listFolder(path, code);
}

}  // namespace fathom
