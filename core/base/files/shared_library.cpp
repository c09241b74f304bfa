// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/shared_library.h"

#include <dlfcn.h>
#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <vector>

#include "core/base/files/input_file.h"

namespace fathom {

bool isLibraryCutShort(const std::string& file) {
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

std::string libraryFile(const std::string& name) {
  void* program = ::dlopen(nullptr, RTLD_NOW);
  Dl_serinfo sizes{};
  if (program == nullptr || ::dlinfo(program, RTLD_DI_SERINFOSIZE, &sizes) != 0) return {};
  std::vector<std::max_align_t> room(sizes.dls_size / sizeof(std::max_align_t) + 1);
  auto* folders = reinterpret_cast<Dl_serinfo*>(room.data());
  folders->dls_size = sizes.dls_size;
  folders->dls_cnt = sizes.dls_cnt;
  if (::dlinfo(program, RTLD_DI_SERINFO, folders) != 0) return {};
  for (unsigned i = 0; i < folders->dls_cnt; ++i) {
    const std::filesystem::path file = std::filesystem::path(folders->dls_serpath[i].dls_name) / name;
    std::error_code code;
    if (std::filesystem::exists(file, code)) return file.string();
  }
  return {};
}

}  // namespace fathom
