// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace fathom {

// Version of what a probe computes, raised whenever its results change: it goes into the hash of stored
// results, and older ones are computed again (core/record/analysis_store.h). 1 for an id that is not known.
int probeVersion(std::string_view analysis);

// Whether the number of examples is an option of the analysis ("examples").
bool probeTakesExamples(std::string_view analysis);

}  // namespace fathom
