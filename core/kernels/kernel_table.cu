// SPDX-License-Identifier: Apache-2.0
// The plug-in's one symbol. FATHOM_KERNELS_MADE says what compiled it.
#include "core/kernels/kernel_table.h"

#include "core/kernels/device_language.h"

namespace fathom {

namespace {

const char* textOfError(int error) {
#if defined(__CUDACC__)
  return cudaGetErrorString(static_cast<cudaError_t>(error));
#else
  return error == 0 ? "no error" : "invalid argument";
#endif
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const KernelTable* fathomKernelTable() {
  static const KernelTable table = [] {
    KernelTable made;
    made.made = FATHOM_KERNELS_MADE;
#if !defined(__CUDACC__)
    made.onHost = 1;
#endif
    made.errorText = textOfError;
    made.launches = registeredLaunches().data();
    made.launchCount = static_cast<std::uint32_t>(registeredLaunches().size());
    return made;
  }();
  return &table;
}

}  // namespace fathom
