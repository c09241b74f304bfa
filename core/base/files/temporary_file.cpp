// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/temporary_file.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <filesystem>
#include <optional>

#include "core/base/files/hash.h"
#include "core/base/files/process_identity.h"
#include "core/base/text/number_text.h"
#include "core/base/text/text_list.h"

namespace fathom {

namespace {

constexpr std::string_view kMark = ".tmp-";
constexpr double kForgottenSeconds = 3600;

struct Maker {
  std::string where;  // "" = an older program, which wrote <pid> or <pid>-<n>
  std::int64_t pid = 0;
  std::string startTime;
};

// Scope in which process ids mean the same: the machine, its boot and the container.
std::string here() {
  static const std::string text = [] {
    std::error_code code;
    const auto space = std::filesystem::read_symlink("/proc/self/ns/pid", code).string();
    return sha256Hex(hostName() + "\n" + bootId() + "\n" + space).substr(0, 8);
  }();
  return text;
}

bool allOf(std::string_view text, std::string_view allowed) {
  return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos;
}

std::optional<Maker> makerOf(std::string_view name) {
  const std::size_t mark = name.rfind(kMark);
  if (mark == std::string_view::npos || mark == 0) return std::nullopt;
  const auto fields = splitAt(name.substr(mark + kMark.size()), '-');
  const bool ours = fields.size() == 4 && fields[0].size() == 8 && allOf(fields[0], "0123456789abcdef");
  if (!ours && fields.size() > 2) return std::nullopt;
  for (std::size_t i = ours ? 1 : 0; i < fields.size(); ++i)
    if (!allOf(fields[i], "0123456789")) return std::nullopt;
  Maker maker;
  const std::string_view pid = fields[ours ? 1 : 0];
  maker.pid = numberFrom<std::int64_t>(pid).value_or(0);
  if (ours) {
    maker.where = fields[0];
    maker.startTime = fields[2];
  }
  return maker;
}

// Since the file was last written; 0 when it is gone.
double silentSeconds(const std::string& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) return 0;
  return std::difftime(std::time(nullptr), info.st_mtim.tv_sec);
}

bool isOfType(const std::string& path, mode_t type) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0 && (info.st_mode & S_IFMT) == type;
}

std::vector<std::string> namesIn(const std::string& folder) {
  std::vector<std::string> names;
  DIR* open = ::opendir(folder.empty() ? "." : folder.c_str());
  if (open == nullptr) return names;
  while (const dirent* entry = ::readdir(open)) names.emplace_back(entry->d_name);
  ::closedir(open);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

std::string temporaryBeside(const std::string& path) {
  static std::atomic<unsigned> counter{0};
  const ProcessIdentity& self = thisProcess();
  const std::string start = self.startTime.empty() ? "0" : self.startTime;
  return path + std::string(kMark) + here() + "-" + std::to_string(self.pid) + "-" + start + "-" +
         std::to_string(counter.fetch_add(1));
}

bool isTemporaryName(std::string_view name) {
  return makerOf(name).has_value();
}

bool isAbandonedTemporary(const std::string& path) {
  const auto maker = makerOf(std::filesystem::path(path).filename().string());
  if (!maker || !(isOfType(path, S_IFREG) || isOfType(path, S_IFDIR))) return false;
  if (maker->where != here()) return silentSeconds(path) > kForgottenSeconds;
  const std::string start = maker->startTime == "0" ? std::string() : maker->startTime;
  return !processLives({maker->pid, hostName(), bootId(), start});
}

std::vector<std::string> temporariesIn(const std::string& folder, TemporaryOwner owner) {
  std::vector<std::string> found;
  for (const std::string& name : namesIn(folder)) {
    std::string path = folder + "/" + name;
    if (!isTemporaryName(name) || !isOfType(path, S_IFREG)) continue;
    if (owner == TemporaryOwner::Us || isAbandonedTemporary(path)) found.push_back(std::move(path));
  }
  return found;
}

void sweepTemporaries(const std::string& folder, TemporaryOwner owner) {
  for (const std::string& path : temporariesIn(folder, owner)) ::unlink(path.c_str());
}

void sweepTemporariesOf(const std::string& path) {
  const std::filesystem::path file(path);
  const std::string folder = file.parent_path().string();
  const std::string begin = file.filename().string() + std::string(kMark);
  for (const std::string& name : namesIn(folder)) {
    if (!name.starts_with(begin)) continue;
    const std::string beside = (file.parent_path() / name).string();
    std::error_code stays;
    if (isAbandonedTemporary(beside)) std::filesystem::remove_all(beside, stays);
  }
}

}  // namespace fathom
