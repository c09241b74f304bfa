// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"

namespace fathom {

// The hidden folder runs/.import-<uuid> that everything of an import goes into first. A lock beside it, held
// as long as the import runs, tells one under way from one that was cut off. The folder itself is not made
// here; it is gone with this object unless it was renamed away.
class ImportStaging {
 public:
  // Removes what imports that were cut off left in `runsFolder` first.
  static Result<std::unique_ptr<ImportStaging>> begin(const std::string& runsFolder);
  ~ImportStaging();
  ImportStaging(const ImportStaging&) = delete;
  ImportStaging& operator=(const ImportStaging&) = delete;
  const std::string& path() const { return m_path; }

 private:
  ImportStaging(std::string path, int lock) : m_path(std::move(path)), m_lock(lock) {}
  std::string m_path;
  int m_lock;
};

// True if a folder in `runs` is one.
bool isImportStaging(std::string_view name);
// Folders and locks of imports in `runsFolder` that nobody works on any more.
std::vector<std::string> deadImports(const std::string& runsFolder);
// Removes one of them; a resource error while its import is under way.
Status removeDeadImport(const std::string& path);

}  // namespace fathom
