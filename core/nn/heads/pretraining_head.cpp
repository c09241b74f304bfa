// SPDX-License-Identifier: Apache-2.0
#include "core/nn/models/word_head.h"

namespace fathom {

HeadEntry pretrainingHeadEntry() {
  return {.id = "pretraining",
          .title = "Masked words and next sentence",
          .reference = "BERT §3.1",
          .reads = {Representation::Tokens, Representation::Pooled},
          .shape = "[M, V], [B, 2]",
          .lossInputs = {"masked_positions", "masked_labels", "next_labels"},
          .ofPreTraining = true,
          .make = [](const HeadSite& site) -> std::unique_ptr<Head> {
            return std::make_unique<WordHead>(site, true);
          }};
}

}  // namespace fathom
