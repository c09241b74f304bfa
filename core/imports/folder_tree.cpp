// SPDX-License-Identifier: Apache-2.0
#include "core/imports/folder_tree.h"

#include <sys/stat.h>

#include <algorithm>
#include <ctime>

#include "core/base/files/path_look.h"

namespace fathom {

namespace {

constexpr std::chrono::seconds kListedAnyway{30};
// Within it a second change may leave the time of the first one.
constexpr std::chrono::seconds kCoarsestTime{2};

std::int64_t nanosecondsNow() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

std::int64_t nanosecondsOf(const timespec& time) {
  return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
}

}  // namespace

FolderTree::Listed FolderTree::lookAt(std::string path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return {std::move(path), -1, -1, 0};
  return {std::move(path), nanosecondsOf(info.st_mtim), nanosecondsOf(info.st_ctim), info.st_ino};
}

bool FolderTree::isAsListed() const {
  return std::all_of(m_folders.begin(), m_folders.end(),
                     [](const Listed& listed) { return lookAt(listed.path) == listed; });
}

Result<std::optional<FolderTree::Entries>> FolderTree::changed() {
  if (!m_folders.empty() && Clock::now() < m_until && isAsListed()) return std::optional<Entries>();
  m_folders.clear();
  Entries all;
  std::vector<Listed> folders;
  std::vector<std::string> open = {m_path};
  while (!open.empty()) {
    folders.push_back(lookAt(std::move(open.back())));  // before it is listed: what comes meanwhile is seen
    open.pop_back();
    // One that has gone since it was listed holds nothing.
    const std::string& folder = folders.back().path;
    FATHOM_TRY(auto entries, folders.size() == 1 ? contentsOf(folder) : entriesIn(folder));
    for (std::filesystem::directory_entry& entry : entries) {
      std::error_code code;
      if (!entry.is_symlink(code) && entry.is_directory(code)) open.push_back(entry.path().string());
      all.push_back(std::move(entry));
    }
  }
  const std::int64_t settled =
      nanosecondsNow() - std::chrono::duration_cast<std::chrono::nanoseconds>(kCoarsestTime).count();
  const bool still = std::all_of(folders.begin(), folders.end(), [settled](const Listed& listed) {
    return std::max(listed.written, listed.changed) < settled;
  });
  if (still) m_folders = std::move(folders);
  m_until = Clock::now() + kListedAnyway;
  return std::optional(std::move(all));
}

}  // namespace fathom
