// SPDX-License-Identifier: Apache-2.0
#include "core/record/import/import_staging.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/files/input_file.h"
#include "core/base/files/one_folder.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kBegin = ".import-";
constexpr std::string_view kLock = ".lock";

// Locks the import that a folder or lock file belongs to; false while it is under way.
class DeadImport {
 public:
  explicit DeadImport(const std::string& path)
      : m_folder(path.ends_with(kLock) ? path.substr(0, path.size() - kLock.size()) : path),
        m_file(m_folder + std::string(kLock)) {
    const Result<int> opened = openInput(m_file, false);
    if (opened.ok()) m_fd = *opened;
    m_dead = opened.ok() ? ::flock(m_fd, LOCK_EX | LOCK_NB) == 0 : !fileExists(m_file);
  }
  ~DeadImport() {
    if (m_fd >= 0) ::close(m_fd);
  }
  DeadImport(const DeadImport&) = delete;
  DeadImport& operator=(const DeadImport&) = delete;
  bool dead() const { return m_dead; }
  const std::string& folder() const { return m_folder; }
  const std::string& file() const { return m_file; }

 private:
  std::string m_folder, m_file;
  int m_fd = -1;
  bool m_dead = false;
};

}  // namespace

bool isImportStaging(std::string_view name) {
  return name.starts_with(kBegin);
}

Result<std::unique_ptr<ImportStaging>> ImportStaging::begin(const std::string& runsFolder) {
  FATHOM_CHECK(makeOneFolder(runsFolder));
  for (const std::string& path : deadImports(runsFolder)) (void)removeDeadImport(path);
  const std::string path = runsFolder + "/" + std::string(kBegin) + makeUuid();
  const std::string file = path + std::string(kLock);
  const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0) return systemError(Phrase::tr("cannot create"), file, errno);
  // Nobody else has it; where the file system knows no locks nobody takes the import for dead either.
  (void)::flock(fd, LOCK_EX | LOCK_NB);
  return std::unique_ptr<ImportStaging>(new ImportStaging(path, fd));
}

ImportStaging::~ImportStaging() {
  std::error_code ignored;
  fs::remove_all(m_path, ignored);
  ::unlink((m_path + std::string(kLock)).c_str());
  ::close(m_lock);
}

std::vector<std::string> deadImports(const std::string& runsFolder) {
  std::vector<std::string> found;
  for (const auto& item : seenIn(runsFolder)) {
    const std::string path = item.path().string();
    if (item.path().filename().string().starts_with(kBegin) && DeadImport(path).dead()) found.push_back(path);
  }
  std::sort(found.begin(), found.end());
  return found;
}

Status removeDeadImport(const std::string& path) {
  const DeadImport import(path);
  if (!import.dead()) return unavailableError(Phrase::tr("the import into %1 is under way")(path));
  std::error_code code;
  fs::remove_all(import.folder(), code);
  if (code) return systemError(Phrase::tr("cannot delete"), import.folder(), code.value());
  ::unlink(import.file().c_str());
  return {};
}

}  // namespace fathom
