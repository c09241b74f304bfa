// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/init/initialisation.h"

namespace fathom {

// fairseq's constants (docs/initialisation.md §1): query, key, value U(±sqrt(6/(d+3d))), other maps
// U(±sqrt(6/(in+out))), tables N(0, d^-1/2) with the pad row 0, biases 0, layer norms 1 and 0. The base most
// other initialisations start from.
Status fillXavier(InitTarget& target);

}  // namespace fathom
