// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/analysis/training/training_curve.h"

namespace fathom {

// The places of states of a run on an axis of its curves.
struct StatePositions {
  std::vector<double> positions;  // of each state; NaN where the run does not tell it
  Metric axisMetric;              // of CurveAxis::Metric
};

// As the run's log says at the updates of the states, which do not fall, else at the last one before them; 0
// before the first where an axis counts from the start of the run. `axisMetric` is that of CurveAxis::Metric.
// A data error where the run tells none of them.
Result<StatePositions> statePositions(AnalysisSource& source, const std::string& run,
                                      const std::vector<double>& steps, CurveAxis axis,
                                      const std::string& axisMetric);

}  // namespace fathom
