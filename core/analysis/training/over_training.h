// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"

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

// Courses of an analysis whose entry has numbers of layers (analysis_entry.h).
// Parts in the order of the model, layers ascending, states in the order they come. A state without a layer
// gives NaN there. Usage error for another analysis, data error for results that cannot be read.
Result<std::vector<LayerCourse>> overTraining(const std::string& analysis,
                                              const std::vector<AnalysedState>& states, bool median);

}  // namespace fathom
