// SPDX-License-Identifier: Apache-2.0
#include "core/nn/models/head.h"

namespace fathom {

HeadEntry noneHeadEntry() {
  return {.id = "none", .title = "None", .ofPreTraining = true, .make = [](const HeadSite&) {
            return std::make_unique<Head>();
          }};
}

}  // namespace fathom
