// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"

namespace fathom {

// A stored result of an analysis of one state of a run.
struct AnalysedState {
  std::int64_t step = 0;  // updates done
  Json result;            // as the probe stored it
};

// One number of one layer through the training.
struct LayerCourse {
  std::string part;  // "encoder.self_attention"
  int layer = 0;     // 0-based
  std::vector<double> steps, values;
};

// The analyses that can be followed: attention_entropy and attention_jsd (mean or median over tokens,
// averaged or the median over the heads of a layer), beta_dependency (β_ii², how much a sub-layer's output is
// its own branch), gradient_norm (relative to the largest of the network).
const std::vector<std::string>& followedAnalyses();
// Parts in the order of the model, layers ascending, states in the order they come. A state without a layer
// gives NaN there. Usage error for another analysis, data error for results that cannot be read.
Result<std::vector<LayerCourse>> overTraining(const std::string& analysis,
                                              const std::vector<AnalysedState>& states, bool median);

}  // namespace fathom
