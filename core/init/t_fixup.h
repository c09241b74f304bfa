// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/init/initialisation.h"

namespace fathom {

// The scaling step of T-Fixup alone, on whatever values the model holds (T-Fixup §3; docs/initialisation.md
// §4): maps of the encoder x 0.67 N^-1/4, of the decoder x (9N)^-1/4, W_v both with sqrt(2) (undoing the gain
// 1/sqrt(2) of the fused map); with `tables` token tables x (9N)^-1/4 of their stack, a shared one as the
// encoder's. Query and key maps are untouched.
void scaleTFixup(InitTarget& target, bool tables);

}  // namespace fathom
