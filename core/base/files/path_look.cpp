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

}  // namespace fathom
