// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/analysis/training/trainability.h"
#include "core/nn/models/feed_forward.h"
#include "core/probe/probe_entry.h"

namespace fathom {

// Measures a subject's model on its sample for the trainability check, as one batch: every stack, and the
// weights' scale. Initialisation, loss and learning rates are the caller's to fill. Evaluation mode; weights
// stay.
Result<TrainabilityFacts> measureTrainability(const ProbeSubject& subject, Activation activation);

// Root mean square of every sum of stream and branch, before the norm, that independent branches of the
// weights' sizes would give a stack whose input has `inputScale`: the scheme's own joins on normal vectors.
// `memoryScale`: of what cross attention reads; the attentions: mean over queries of 1 / number of keys,
// which is what averaging leaves of a variance.
struct ScalePrediction {
  double inputScale = 1, memoryScale = 1;
  double selfAttention = 1, crossAttention = 1;
  Activation activation = Activation::Relu;
};
std::vector<double> predictScales(const ParameterStore& store, const ResidualScheme& scheme,
                                  const ScalePrediction& prediction);

}  // namespace fathom
