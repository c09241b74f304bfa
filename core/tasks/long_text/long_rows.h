// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/tasks/host_batch.h"
#include "core/tasks/long_text/long_layout.h"

namespace fathom {

// Rules by which layouts become a batch.
struct LongRowRules {
  std::int64_t pad = 0;
  std::vector<GlobalKind> everything;    // kinds that a hard mask does not bind
  std::int64_t length = 0, globals = 0;  // at least so wide: released code pads to its limits
};

// Both streams of the layouts as arrays of the batch, rows of equal width (docs/long_inputs.md §1):
//   tokens, segments, global_tokens, global_segments   [B, n], [B, g] i64
//   lengths, global_lengths                            [B] i64
//   sentence, paragraph, link, context                 [B, n] i32   places in the global stream, -1 none
//   global_context, global_everything                  [B, g] i32
// Padding has the pad id, segment 0, context 0 and no places. paddedUnits counts both streams. A stream
// without tokens has one that is padding.
void putLongRows(HostBatch& batch, const std::vector<const LongLayout*>& rows, const LongRowRules& rules);

}  // namespace fathom
