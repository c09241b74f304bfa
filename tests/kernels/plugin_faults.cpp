// SPDX-License-Identifier: Apache-2.0
// Plug-ins that the engine must refuse by name.
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
#else
extern "C" int fathomNothingOfUse() {
  return 0;
}
#endif
