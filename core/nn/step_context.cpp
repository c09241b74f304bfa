// SPDX-License-Identifier: Apache-2.0
#include "core/nn/step_context.h"

namespace fathom {

std::string SublayerSite::name() const {
  return std::string(stackName(stack)) + ".layers." + std::to_string(layer) + "." + sublayerName(kind);
}

}  // namespace fathom
