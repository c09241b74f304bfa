// SPDX-License-Identifier: Apache-2.0
#include "core/train/parallel/nccl_plugin.h"

#include <dlfcn.h>

#include <cstdlib>

#include "core/kernels/device_address.h"
#include "core/kernels/plugin_file.h"

namespace fathom {

namespace {

constexpr const char* kNcclName = "libfathom-nccl.so";

NcclPlugin checkedNccl(const NcclTable* table, const std::string& file) {
  if (table->version != kNcclTableVersion || table->bytes != sizeof(NcclTable))
    return {nullptr, file,
            file + ": it has version " + std::to_string(table->version) + " of the sums (" +
                std::to_string(table->bytes) + " bytes), this engine needs " +
                std::to_string(kNcclTableVersion) + " (" + std::to_string(sizeof(NcclTable)) +
                " bytes): build both from one source"};
  if (const std::string unfit = table->unfit(); !unfit.empty()) return {nullptr, file, file + ": " + unfit};
  return {table, file, {}};
}

NcclPlugin findNccl() {
  const char* wish = std::getenv("FATHOM_NCCL");
  if (wish != nullptr && std::string(wish) == "off") return {nullptr, {}, "switched off by FATHOM_NCCL"};
  if (wish != nullptr && *wish != '\0') return openNcclPlugin(wish);
  if (deviceStandsIn()) {
    const auto own = reinterpret_cast<NcclTableFunction>(::dlsym(RTLD_DEFAULT, kNcclTableSymbol));
    if (own == nullptr) return {nullptr, {}, "this stand-in device has no NCCL"};
    return checkedNccl(own(), {});
  }
  if (const std::string file = pluginBeside(kNcclName); !file.empty()) return openNcclPlugin(file);
  return {nullptr,
          {},
          std::string("there is no ") + kNcclName +
              " beside the engine: it is built where NCCL's header is (packaging/deps.sh --nccl fetches it)"};
}

}  // namespace

NcclPlugin openNcclPlugin(const std::string& file) {
  const PluginSymbol found = openPluginFile(file, kNcclTableSymbol, "sums by NCCL", "sums by NCCL");
  if (found.function == nullptr) return {nullptr, file, found.reason};
  return checkedNccl(reinterpret_cast<NcclTableFunction>(found.function)(), file);
}

const NcclPlugin& ncclPlugin() {
  static const NcclPlugin plugin = findNccl();
  return plugin;
}

}  // namespace fathom
