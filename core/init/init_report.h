// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/json/json.h"
#include "core/nn/models/model.h"

namespace fathom {

// Result of an initialisation for every named parameter, in the model's order: rows
//   {name, shape, rule, base_std, factor, std, mean, source}
// rule: how it was filled ("uniform", "normal", "truncated normal", "constant" or an entry's own); base_std:
// standard deviation that rule aims at; factor: product of what it was scaled by afterwards, 1 = nothing;
// std and mean: measured on the parameter as it is now. `report` is initialiseModel's; names missing from its
// "kept", where it has one, hold pre-trained weights: `source` is the tensor they came from, by the "sources"
// of its "weights".
Json initRows(const Model& model, const Json& report);
// A report with its rows as aligned text, one line a parameter under a head line; below it what was measured
// on training batches (Admin's omega, DT-Fixup's mu and factor).
std::string initTable(const Json& report);

}  // namespace fathom
