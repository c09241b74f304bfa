// SPDX-License-Identifier: Apache-2.0
#include "core/record/runs/control_folder.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>

#include "core/base/files/input_file.h"
#include "core/base/files/path_look.h"
#include "core/base/json/json_members.h"
#include "core/base/text/shown_value.h"
#include "core/record/runs/carried_wish.h"
#include "core/record/runs/run_lock.h"

namespace fathom {

namespace {

constexpr std::size_t kMostBytes = 4096;

std::string userName(uid_t user) {
  std::array<char, 4096> room;
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwuid_r(user, &entry, room.data(), room.size(), &found) == 0 && found != nullptr)
    return found->pw_name;
  return "user " + std::to_string(user);
}

// The word of the file, as far as it has one that can be shown.
std::string askerOf(const std::string& path) {
  struct stat info {};
  const bool known = ::lstat(path.c_str(), &info) == 0;
  std::array<char, kMostBytes> bytes;
  ssize_t count = 0;
  if (const auto opened = openInput(path, false); opened.ok()) {
    count = ::pread(*opened, bytes.data(), bytes.size(), 0);
    ::close(*opened);
  }
  std::string asker;
  if (count > 0) {
    const auto json = parseJson(std::string_view(bytes.data(), static_cast<std::size_t>(count)));
    if (json.ok() && json->is_object()) asker = memberText(*json, "by");
  }
  if (asker.empty() && known) asker = userName(info.st_uid);
  return shownValue(asker);
}

}  // namespace

bool isControlCommand(const std::string& command) {
  return command == "checkpoint" || command == "stop" || command == "abort";
}

Status leaveWish(const std::string& runPath, const std::string& command) {
  return leaveWishOf(userName(::geteuid()) + "@" + hostName(), runPath, command);
}

std::vector<ControlWish> takeWishes(const std::string& runPath, std::set<std::string>& heeded,
                                    bool beginning) {
  const std::filesystem::path folder = std::filesystem::path(runPath) / kControlFolderName;
  std::vector<std::filesystem::path> files;
  const auto there = entriesIn(folder.string());
  if (!there.ok()) return {};
  for (const auto& item : *there) {
    const std::string ending = item.path().extension().string();
    if (ending.size() > 1 && isControlCommand(ending.substr(1))) files.push_back(item.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<ControlWish> wishes;
  for (const std::filesystem::path& file : files) {
    const std::string name = file.filename().string();
    if (heeded.count(name) > 0) continue;
    ControlWish wish{file.extension().string().substr(1), askerOf(file.string())};
    const bool stays = ::unlink(file.c_str()) != 0 && errno != ENOENT;
    if (stays) heeded.insert(name);
    if (!stays || !beginning) wishes.push_back(std::move(wish));
  }
  return wishes;
}

}  // namespace fathom
