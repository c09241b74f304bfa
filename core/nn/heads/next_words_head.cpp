// SPDX-License-Identifier: Apache-2.0
#include "core/nn/models/word_head.h"

namespace fathom {

HeadEntry nextWordsHeadEntry() {
  return {.id = "next_words",
          .title = "Next words",
          .reference = "Radford et al. 2019 §2",
          .reads = {Representation::Causal},
          .shape = "[N, V]",
          .lossInputs = {"labels"},
          .ofPreTraining = true,
          .make = [](const HeadSite& site) -> std::unique_ptr<Head> {
            return std::make_unique<NextWordHead>(site.tokenTable);
          }};
}

}  // namespace fathom
