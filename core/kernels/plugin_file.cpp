// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/plugin_file.h"

#include <dlfcn.h>

#include <filesystem>

#include "core/base/files/shared_library.h"

namespace fathom {

PluginSymbol openPluginFile(const std::string& file, const char* symbol, const char* subject,
                            const char* content) {
  if (isLibraryCutShort(file)) return {nullptr, file + " is cut short: build it again, or copy it once more"};
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
