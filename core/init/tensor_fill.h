// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <string>

#include "core/init/initialisation.h"

namespace fathom {

// Each fills one named parameter from its own generator, streamSeed(seed, name): float32 numbers made on the
// CPU, then copied to the parameter's dtype and device, so a float64 or CUDA model starts from the same
// values. The rule is written to the report.
void fillUniform(InitTarget& target, const Parameter& parameter, double bound);
void fillNormal(InitTarget& target, const Parameter& parameter, double deviation);
// Normal, values beyond two deviations drawn again.
void fillTruncatedNormal(InitTarget& target, const Parameter& parameter, double deviation);
void fillConstant(InitTarget& target, const Parameter& parameter, double value);
// Fills in parameters that need no rule: with the constant they were declared with; biases of recurrent
// layers the bounds of those (docs/initialisation.md §1).
void fillDeclared(InitTarget& target, const Parameter& parameter);
// Multiplies what is there.
void scaleBy(InitTarget& target, const Parameter& parameter, double factor, const std::string& reason);

// Xavier bound / deviation for a map [out, in].
double xavierBound(std::int64_t in, std::int64_t out, double gain);
double xavierDeviation(std::int64_t in, std::int64_t out, double gain);

}  // namespace fathom
