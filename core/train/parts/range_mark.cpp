// SPDX-License-Identifier: Apache-2.0
#include "core/train/parts/range_mark.h"

#include <dlfcn.h>

namespace fathom {

namespace {

// C functions of NVTX by their names: its headers come with the CUDA toolkit alone, and the engine is built
// without.
struct Nvtx {
  int (*push)(const char*) = reinterpret_cast<int (*)(const char*)>(::dlsym(RTLD_DEFAULT, "nvtxRangePushA"));
  int (*pop)() = reinterpret_cast<int (*)()>(::dlsym(RTLD_DEFAULT, "nvtxRangePop"));
  bool isThere() const { return push != nullptr && pop != nullptr; }
};

const Nvtx& nvtx() {
  static const Nvtx functions;
  return functions;
}

}  // namespace

RangeMark::RangeMark(const std::string& name) {
  if (nvtx().isThere()) nvtx().push(name.c_str());
}

RangeMark::~RangeMark() {
  if (nvtx().isThere()) nvtx().pop();
}

}  // namespace fathom
