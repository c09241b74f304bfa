// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/nn/models/model.h"
#include "core/objectives/objective.h"

namespace fathom {

// Which part of the network first made a number that is not finite (fairseq's NanDetector as an idea): first
// the parameters, then the same forward once more with an observer, then the gradients from the output
// backwards. `places` are those of the batches in their update. Returns "encoder.layers.2.feed_forward", a
// parameter's name, or "" when nothing is found.
std::string firstNonFiniteModule(const Model& model, const Objective& objective,
                                 const std::vector<DeviceBatch>& batches,
                                 const std::vector<std::int64_t>& places, const StepContext& context);

}  // namespace fathom
