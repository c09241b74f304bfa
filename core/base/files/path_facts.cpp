// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/path_facts.h"

#include <sys/stat.h>

namespace fathom {

namespace fs = std::filesystem;

namespace {

template <typename Iterator>
std::vector<fs::directory_entry> takeAll(Iterator at, std::error_code& code) {
  std::vector<fs::directory_entry> entries;
  while (!code && at != Iterator()) {
    entries.push_back(*at);
    at.increment(code);
  }
  return entries;
}

}  // namespace

bool fileExists(const std::string& path) {
  std::error_code code;
  return fs::exists(path, code);
}

bool folderExists(const std::string& path) {
  std::error_code code;
  return fs::is_directory(path, code);
}

std::uintmax_t fileBytes(const std::string& path) {
  std::error_code code;
  const std::uintmax_t bytes = fs::file_size(path, code);
  return code ? 0 : bytes;
}

std::string folderStamp(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return {};
  return std::to_string(info.st_ino) + ":" + std::to_string(info.st_nlink) + ":" +
         std::to_string(info.st_mtim.tv_sec) + "." + std::to_string(info.st_mtim.tv_nsec);
}

std::string absolutePath(const std::string& path) {
  std::error_code code;
  const fs::path whole = fs::absolute(path, code);
  return code ? path : whole.lexically_normal().string();
}

std::string programFolder() {
  std::error_code code;
  return fs::read_symlink("/proc/self/exe", code).parent_path().string();
}

std::string besideSources(const std::string& path) {
  for (fs::path folder = programFolder(); folder.has_relative_path(); folder = folder.parent_path())
    if (fileExists(folder / path)) return (folder / path).string();
  return {};
}

std::vector<fs::directory_entry> listFolder(const std::string& path, std::error_code& code) {
  return takeAll(fs::directory_iterator(path, code), code);
}

std::vector<fs::directory_entry> listFolder(const std::string& path) {
  std::error_code code;
  return listFolder(path, code);
}

std::vector<fs::directory_entry> listTree(const std::string& path, std::error_code& code) {
  return takeAll(fs::recursive_directory_iterator(path, code), code);
}

std::uintmax_t bytesBelow(const std::string& path) {
  std::error_code code;
  const fs::file_type type = fs::symlink_status(path, code).type();
  if (type != fs::file_type::directory) return type == fs::file_type::regular ? fileBytes(path) : 0;
  std::uintmax_t bytes = 0;
  fs::recursive_directory_iterator at(path, fs::directory_options::skip_permission_denied, code);
  while (!code && at != fs::recursive_directory_iterator()) {
    std::error_code unknown;
    if (at->symlink_status(unknown).type() == fs::file_type::regular && !unknown) {
      const std::uintmax_t size = at->file_size(unknown);
      if (!unknown) bytes += size;
    }
    at.increment(code);
  }
  return bytes;
}

}  // namespace fathom
