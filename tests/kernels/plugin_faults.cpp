// SPDX-License-Identifier: Apache-2.0
// Plug-ins that the engine must refuse by name, one whose kernels fail where they are launched, and one
// whose kernels do nothing; and a CUDA part of LibTorch that asks for a function which this LibTorch lacks.
#include "core/kernels/kernel_table.h"

#if defined(PLUGIN_OTHER_VERSION)
extern "C" const fathom::KernelTable* fathomKernelTable() {
  static const fathom::KernelTable table = [] {
    fathom::KernelTable made;
    made.version = fathom::kKernelTableVersion + 7;
    return made;
  }();
  return &table;
}
#elif defined(PLUGIN_FAILING_LAUNCH) || defined(PLUGIN_IDLE)
#if defined(PLUGIN_IDLE)
constexpr int kLaunched = 0;
#else
constexpr int kLaunched = 700;
#endif
extern "C" const fathom::KernelTable* fathomKernelTable() {
  static const fathom::KernelTable table = [] {
    constexpr auto kForward = [](const auto&, void*) { return kLaunched; };
    constexpr auto kBackward = [](const auto&, const auto&, void*) { return kLaunched; };
    fathom::KernelTable made;
    made.made = "a launch that fails";
    made.onHost = 1;
    made.errorText = [](int) { return "an illegal memory access was encountered"; };
    made.seededDropout = kForward;
    made.normJoin = kForward;
    made.normJoinBackward = kBackward;
    made.chainSoftmax = kForward;
    made.chainSoftmaxBackward = kBackward;
    made.relationAttention = kForward;
    made.relationAttentionBackward = kBackward;
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
