// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/options/option_field.h"
#include "core/record/results/prediction_set.h"
#include "core/tasks/task.h"

namespace fathom {

// Active options of a decoding, `decoding` one of decoding_keys.h: scores of sets that were decoded otherwise
// differ.
Json decodingOf(const OptionValues& options, std::string_view decoding);

// The head of a set that the run makes: run, task, decoding and the keys of its lines. Checkpoint, split and
// file are the caller's.
PredictionSet predictionSetOf(const std::string& runPath, const TaskEntry& task, const OptionValues& options,
                              std::string_view decoding);

// Writes the predictions of a split with the texts of their examples. Returns the file.
Result<std::string> keepPredictions(const std::string& runPath, PredictionSet set, const Task& task,
                                    DataSplit split, const std::vector<Prediction>& predictions);

}  // namespace fathom
