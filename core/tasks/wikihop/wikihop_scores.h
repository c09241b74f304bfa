// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

namespace fathom {

// Share of the gold answers that are predicted exactly; a missing prediction is wrong.
double wikiHopAccuracy(const std::map<std::string, std::string>& gold,
                       const std::map<std::string, std::string>& predictions);

}  // namespace fathom
