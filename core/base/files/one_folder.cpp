// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/one_folder.h"

#include <sys/stat.h>

#include <cerrno>

#include "core/base/files/path_facts.h"

namespace fathom {

Status makeOneFolder(const std::string& path) {
  if (::mkdir(path.c_str(), 0777) == 0) return {};
  const int fault = errno;
  if (fault == EEXIST && folderExists(path)) return {};
  return systemError(Phrase::tr("cannot create folder"), path, fault);
}

}  // namespace fathom
