// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/analysis/analysis_entry.h"

namespace fathom::gallery {

// Attention of a made-up sentence pair as an engine would have stored it, array files included: encoder and
// cross attention; the second run has a score chain, and a cell that is not a number.
ProbedResult madeUpAttention(bool second);

}  // namespace fathom::gallery
