// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/optim/optimizer.h"

namespace fathom {

// Writes the option optimizer.rate_groups into the parameters. One group a text: the beginning of parameter
// names, =, the factor of the learning rate, perhaps : and a warm-up in updates, perhaps @ and the id of a
// schedule of its own: "encoder.=0.008:1000@linear". Where several fit, the longest beginning decides. Usage
// error with the option's key for a text that says something else or fits no parameter.
Status applyRateGroups(const std::vector<std::string>& texts, std::vector<OptimizerParameter>& parameters);

}  // namespace fathom
