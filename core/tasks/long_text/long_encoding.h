// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/errors/result.h"
#include "core/tasks/long_text/long_layout.h"
#include "core/tasks/text_encoding.h"

namespace fathom {

// The tokenizer of an encoding as layouts see it (docs/long_inputs.md §4). Byte-level BPE reads every text as
// it reads words within a sentence, with a blank in front. Global tokens are ETC's unused pieces where the
// vocabulary has them (BERT's [unused0], …), else marks that no text holds. Owns what it needs.
LongPieces longPiecesOf(const TextEncoding& encoding);

}  // namespace fathom
