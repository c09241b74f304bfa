// SPDX-License-Identifier: Apache-2.0
// Plug-ins that the engine must refuse by name, one whose kernels fail where they are launched, and one
// whose kernels do nothing; and a CUDA part of LibTorch that asks for a function which this LibTorch lacks.
#include "core/kernels/chain_softmax.h"
#include "core/kernels/kernel_table.h"
#include "core/kernels/norm_join.h"
#include "core/kernels/relation_attention.h"
#include "core/kernels/seeded_dropout.h"

#if defined(PLUGIN_OTHER_VERSION)
extern "C" const fathom::KernelTable* fathomKernelTable() {
  static const fathom::KernelTable table = [] {
    fathom::KernelTable made;
    made.version = fathom::kKernelTableVersion + 7;
    return made;
  }();
  return &table;
}
#elif defined(PLUGIN_FAILING_LAUNCH) || defined(PLUGIN_IDLE) || defined(PLUGIN_OTHER_STRUCTURES)
#if defined(PLUGIN_FAILING_LAUNCH)
constexpr int kLaunched = 700;
#else
constexpr int kLaunched = 0;
#endif
template <typename... Calls>
fathom::KernelLaunch withoutWork(const fathom::KernelPass<Calls...>& pass) {
  return pass.with([](const Calls&..., void*) { return kLaunched; });
}
extern "C" const fathom::KernelTable* fathomKernelTable() {
  using namespace fathom;
  static std::vector<KernelLaunch> launches{withoutWork(kSeededDropoutPass),
                                            withoutWork(kNormJoinPass),
                                            withoutWork(kNormJoinBackwardPass),
                                            withoutWork(kChainSoftmaxPass),
                                            withoutWork(kChainSoftmaxBackwardPass),
                                            withoutWork(kRelationAttentionPass),
                                            withoutWork(kRelationAttentionBackwardPass)};
  static const KernelTable table = [] {
    KernelTable made;
    made.made = "a launch that fails";
    made.onHost = 1;
    made.errorText = [](int) { return "an illegal memory access was encountered"; };
#if defined(PLUGIN_OTHER_STRUCTURES)
    launches[2].bytes += 8;
#endif
    made.launches = launches.data();
    made.launchCount = static_cast<std::uint32_t>(launches.size());
    return made;
  }();
  return &table;
}
#elif defined(PLUGIN_WITHOUT_PASS)
extern "C" const fathom::KernelTable* fathomKernelTable() {
  static const fathom::KernelLaunch only = fathom::kSeededDropoutPass.facts();
  static const fathom::KernelTable table = [] {
    fathom::KernelTable made;
    made.onHost = 1;
    made.launches = &only;
    made.launchCount = 1;
    return made;
  }();
  return &table;
}
#elif defined(OTHER_LIBTORCH)
extern "C" int functionOfAnotherLibTorch();
extern "C" int fathomNothingOfUse() {
  return functionOfAnotherLibTorch();
}
#else
extern "C" int fathomNothingOfUse() {
  return 0;
}
#endif
