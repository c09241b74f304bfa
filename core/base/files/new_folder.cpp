// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/new_folder.h"

#include <cerrno>
#include <filesystem>

#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

Status isFree(const std::string& folder) {
  std::error_code code;
  if (fs::exists(folder, code))
    return usageError(Phrase::tr("%1 exists already")(folder), Phrase::tr("name a new folder"));
  return {};
}

}  // namespace

Status checkNewFolder(const std::string& folder) {
  FATHOM_CHECK(isFree(folder));
  fs::path target = absolutePath(folder);
  if (!target.has_filename()) target = target.parent_path();
  const std::string parent = target.parent_path().string();
  if (!folderExists(parent))
    return inputError(Phrase::tr("cannot write into"), parent, fileExists(parent) ? ENOTDIR : ENOENT);
  return {};
}

Status makeNewFolder(const std::string& folder, const std::function<Status(const std::string&)>& fill) {
  FATHOM_CHECK(isFree(folder));
  std::error_code code;
  const std::string target = absolutePath(folder);
  const std::string partial =
      (target.back() == '/' ? target.substr(0, target.size() - 1) : target) + ".partial";
  fs::remove_all(partial, code);
  FATHOM_CHECK(makeFolders(partial));
  Status status = fill(partial);
  if (status.ok()) status = renamePath(partial, target);
  if (!status.ok()) fs::remove_all(partial, code);
  return status;
}

}  // namespace fathom
