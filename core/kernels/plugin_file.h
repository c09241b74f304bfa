// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fathom {

// One function of a shared library that lies beside the engine; null because of `reason`.
struct PluginSymbol {
  void* function = nullptr;
  std::string reason;
};
// Loads the file, which stays loaded. A reason calls what it holds by `subject` ("the kernels") and `content`
// ("kernels").
PluginSymbol openPluginFile(const std::string& file, const char* symbol, const char* subject,
                            const char* content);

// The file of this name beside the engine or in ../lib of it; "" where there is none.
std::string pluginBeside(const char* name);

}  // namespace fathom
