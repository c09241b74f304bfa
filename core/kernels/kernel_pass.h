// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace fathom {

// A pass as a plug-in with kernels hands it out: its name, the bytes of the structures that its launch takes,
// and the launch itself without its type.
struct KernelLaunch {
  const char* name = "";
  std::uint32_t bytes = 0;
  void (*launch)() = nullptr;
};

// The name of a pass with the structures that its launch takes, declared once in the header of its family.
template <typename... Calls>
struct KernelPass {
  const char* name;
  // Puts the pass on the stream. CUDA's error, 0 for none.
  using Launch = int (*)(const Calls&... calls, void* stream);
  static constexpr std::uint32_t kBytes = (std::uint32_t{0} + ... + std::uint32_t{sizeof(Calls)});

  KernelLaunch facts() const { return {name, kBytes, nullptr}; }
  KernelLaunch with(Launch launch) const { return {name, kBytes, reinterpret_cast<void (*)()>(launch)}; }
};

// The launches of this plug-in. Filled while it is loaded, by one KernelRegistration for each pass.
inline std::vector<KernelLaunch>& registeredLaunches() {
  static std::vector<KernelLaunch> launches;
  return launches;
}

// Stands in the .cu file of a family: the plug-in's table needs no line for it.
struct KernelRegistration {
  template <typename... Calls>
  KernelRegistration(const KernelPass<Calls...>& pass, typename KernelPass<Calls...>::Launch launch) {
    registeredLaunches().push_back(pass.with(launch));
  }
};

}  // namespace fathom
