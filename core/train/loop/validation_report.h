// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/options/option_field.h"
#include "core/objectives/objective.h"

namespace fathom {

// The number that decides which checkpoint is the best one, lower is better; `bestBy`: score | nll. Nothing
// where the evaluation has no score.
std::optional<double> deciding(const Evaluation& evaluation, const OptionValues& options,
                               const std::string& bestBy);

// Up to `samples` outputs beside the texts of their examples: the same few examples each time, whatever the
// order of the batches.
Json sampleItems(const Task& task, std::int64_t samples, const Evaluation& evaluation);

}  // namespace fathom
