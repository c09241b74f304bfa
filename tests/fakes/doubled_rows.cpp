// SPDX-License-Identifier: Apache-2.0
// A family of kernels that a test adds: its host half. Its kernel is doubled_rows.cu.
#include "tests/fakes/doubled_rows.h"

#include "core/kernels/kernel_entry.h"

namespace fathom {

KernelEntry doubledRowsEntry() {
  return {"doubled_rows",
          "Doubled numbers",
          {.plugin = KernelNeeds{.formats = {torch::kFloat32}}},
          {kDoubledRowsPass.facts()}};
}

}  // namespace fathom
