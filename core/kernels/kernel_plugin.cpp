// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/kernel_plugin.h"

#include <cstdlib>
#include <stdexcept>

#include "core/kernels/device_address.h"
#include "core/kernels/kernel_entry.h"
#include "core/kernels/plugin_file.h"

namespace fathom {

namespace {

constexpr const char* kPluginName = "libfathom-kernels-cuda.so";

std::string withoutKernels(const std::string& why) {
  return why + "; a device runs LibTorch's operations alone";
}

const KernelLaunch* launchIn(const KernelTable& table, std::string_view name) {
  for (std::uint32_t i = 0; i < table.launchCount; ++i)
    if (name == table.launches[i].name) return &table.launches[i];
  return nullptr;
}

std::string wrongTable(const KernelTable& table, bool onHost) {
  if (table.version != kKernelTableVersion || table.bytes != sizeof(KernelTable))
    return "it has version " + std::to_string(table.version) + " of the kernels (" +
           std::to_string(table.bytes) + " bytes), this engine needs " + std::to_string(kKernelTableVersion) +
           " (" + std::to_string(sizeof(KernelTable)) + " bytes): build both from one source";
  for (const KernelEntry& entry : kernelEntries())
    for (const KernelLaunch& pass : entry.passes)
      if (const KernelLaunch* found = launchIn(table, pass.name);
          found == nullptr || found->bytes != pass.bytes)
        return found == nullptr
                   ? "it has no pass '" + std::string(pass.name) + "': build both from one source"
                   : "its pass '" + std::string(pass.name) + "' takes " + std::to_string(found->bytes) +
                         " bytes, this engine's " + std::to_string(pass.bytes) +
                         ": build both from one source";
  if ((table.onHost != 0) != onHost)
    return onHost ? "its kernels are for a card, and this device is a stand-in"
                  : "its kernels run on the processor, and this device is a card";
  return {};
}

KernelPlugin findKernels() {
  const char* wish = std::getenv("FATHOM_KERNELS");
  if (wish != nullptr && std::string(wish) == "off")
    return {nullptr, {}, withoutKernels("switched off by FATHOM_KERNELS")};
  const bool onHost = deviceStandsIn();
  if (wish != nullptr && *wish != '\0') return openKernelPlugin(wish, onHost);
  if (const std::string file = pluginBeside(kPluginName); !file.empty())
    return openKernelPlugin(file, onHost);
  return {nullptr, {}, withoutKernels(std::string("there is no ") + kPluginName + " beside the engine")};
}

}  // namespace

KernelPlugin openKernelPlugin(const std::string& file, bool onHost) {
  KernelPlugin plugin{nullptr, file, {}};
  const PluginSymbol found = openPluginFile(file, kKernelTableSymbol, "the kernels", "kernels");
  if (found.function == nullptr) {
    plugin.reason = withoutKernels(found.reason);
    return plugin;
  }
  const KernelTable* table = reinterpret_cast<KernelTableFunction>(found.function)();
  if (const std::string wrong = wrongTable(*table, onHost); !wrong.empty())
    plugin.reason = withoutKernels(file + ": " + wrong);
  else
    plugin.table = table;
  return plugin;
}

const KernelLaunch& KernelPlugin::find(std::string_view name) const {
  const KernelLaunch* found = table != nullptr ? launchIn(*table, name) : nullptr;
  if (found == nullptr)
    throw std::logic_error("the pass '" + std::string(name) + "' stands in no entry of kernels.list");
  return *found;
}

const KernelPlugin& kernelPlugin() {
  static const KernelPlugin plugin = findKernels();
  return plugin;
}

}  // namespace fathom
