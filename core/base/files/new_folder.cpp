// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/new_folder.h"

#include <cerrno>
#include <filesystem>
#include <utility>
#include <vector>

#include "core/base/errors/error_key.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/temporary_file.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

Status isFree(const std::string& folder) {
  std::error_code code;
  if (fs::exists(folder, code))
    return usageError(Phrase::tr("%1 exists already")(folder), Phrase::tr("name a new folder"));
  return {};
}

Status filled(const std::string& partial, const std::function<Status(const std::string&)>& fill,
              const std::function<Status()>& then) {
  Status status = makeFolders(partial);
  if (status.ok()) status = fill(partial);
  if (status.ok()) status = then();
  std::error_code gone;
  fs::remove_all(partial, gone);
  return status;
}

// Moves the content of a folder, unless a file would be replaced by another one: then nothing is moved.
Status moveInto(const std::string& partial, const std::string& folder) {
  std::error_code code;
  const std::vector<fs::directory_entry> entries = listTree(partial, code);
  if (code) return inputError(Phrase::tr("cannot read"), partial, code.value());
  std::vector<std::pair<std::string, std::string>> moves;
  for (const fs::directory_entry& entry : entries) {
    if (!entry.is_regular_file(code)) continue;
    const std::string path = entry.path().string();
    const std::string target = folder + "/" + entry.path().lexically_relative(partial).string();
    if (fs::symlink_status(target, code).type() == fs::file_type::not_found) {
      moves.emplace_back(path, target);
      continue;
    }
    FATHOM_TRY(const std::string there, readFile(target));
    FATHOM_TRY(const std::string made, readFile(path));
    if (there != made)
      return aboutFile(target, unavailableError(Phrase::tr("%1 is there and holds something else")(target),
                                                Phrase::tr("name a new folder")));
  }
  for (const auto& [from, to] : moves) {
    FATHOM_CHECK(makeFolders(fs::path(to).parent_path().string()));
    FATHOM_CHECK(renamePath(from, to));
  }
  return syncFolder(folder);
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
  std::string target = absolutePath(folder);
  while (target.size() > 1 && target.ends_with('/')) target.pop_back();
  sweepTemporariesOf(target);
  const std::string partial = temporaryBeside(target);
  return filled(partial, fill, [&] { return renamePath(partial, target); });
}

Status fillFolder(const std::string& folder, const std::function<Status(const std::string&)>& fill) {
  if (!fileExists(folder)) return makeNewFolder(folder, fill);
  // Inside, as what lies beside it may be another file system.
  const std::string partial = temporaryBeside(absolutePath(folder + "/new"));
  return filled(partial, fill, [&] { return moveInto(partial, folder); });
}

}  // namespace fathom
