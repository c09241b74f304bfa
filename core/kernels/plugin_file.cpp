// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/plugin_file.h"

#include <dlfcn.h>
#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <filesystem>

#include "core/base/files/input_file.h"

namespace fathom {

namespace {

// Whether a shared library ends before its section headers do, which stand last: the loader maps such a file,
// and the process dies where it reads a page that is not there. What is no library is left to the loader.
bool isCutShort(const std::string& file) {
  const Result<int> opened = openInput(file);
  if (!opened.ok()) return false;
  const int fd = *opened;
  Elf64_Ehdr header{};
  struct stat info {};
  const bool read = ::fstat(fd, &info) == 0 &&
                    ::pread(fd, &header, sizeof header, 0) == static_cast<ssize_t>(sizeof header);
  ::close(fd);
  if (!read || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return false;
  const std::uint64_t end = header.e_shoff + std::uint64_t{header.e_shnum} * header.e_shentsize;
  return static_cast<std::uint64_t>(info.st_size) < end;
}

}  // namespace

PluginSymbol openPluginFile(const std::string& file, const char* symbol, const char* subject,
                            const char* content) {
  if (isCutShort(file)) return {nullptr, file + " is cut short: build it again, or copy it once more"};
  void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* text = ::dlerror();
    return {nullptr, std::string(subject) + " do not load: " + (text != nullptr ? text : file.c_str())};
  }
  void* function = ::dlsym(library, symbol);
  if (function == nullptr)
    return {nullptr, file + " has no " + symbol + ": it is no plug-in with " + content};
  return {function, {}};
}

std::string pluginBeside(const char* name) {
  std::error_code code;
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", code).parent_path();
  for (const auto& place : {folder / name, folder / ".." / "lib" / name})
    if (std::filesystem::exists(place, code)) return place.string();
  return {};
}

}  // namespace fathom
