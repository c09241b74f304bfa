// SPDX-License-Identifier: Apache-2.0
#include "core/nn/models/word_head.h"

namespace fathom {

HeadEntry maskedWordsHeadEntry() {
  return {.id = "masked_words",
          .title = "Masked words",
          .reference = "BERT §3.1",
          .reads = {Representation::Tokens},
          .shape = "[M, V]",
          .lossInputs = {"masked_positions", "masked_labels"},
          .ofPreTraining = true,
          .make = [](const HeadSite& site) -> std::unique_ptr<Head> {
            return std::make_unique<WordHead>(site, false);
          }};
}

}  // namespace fathom
