// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "core/objectives/objective.h"

namespace fathom {

// One of several options by their scores: the highest, the first of equals; its log probability. Behind
// `details`: scores and probabilities of all.
Prediction choicePrediction(ExampleId example, std::span<const double> scores, Json details = Json::object());

}  // namespace fathom
