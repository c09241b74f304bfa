// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <vector>

namespace fathom {

// One pass over parameter, gradient and both moments (g is scaled by gradientScale on the fly):
//   v <- b2 v + (1-b2) g^2 ; m <- b1 m + (1-b1) g ; p <- decay * p - stepSize * m / (sqrt(v) / rootScale +
//   eps)
// stepSize 0 leaves p at decay * p (RAdam below its threshold). decoupledTerm adds stepSize * decayed * p
// (BERT AdamW).
struct MomentUpdate {
  double beta1 = 0.9, beta2 = 0.999, eps = 1e-8;
  double gradientScale = 1;
  double decay = 1;       // 1 - rate * weight decay, applied before the step
  double stepSize = 0;    // factor of m / denominator
  double rootScale = 1;   // sqrt(v) is divided by it before eps is added (plain Adam: sqrt(1 - beta2^t))
  double addedDecay = 0;  // weight decay added to the update instead: p -= stepSize * addedDecay * p (BERT)
};

// One tensor of an update: four contiguous tensors of the processor, of one shape and number format (float32
// or float64); only the gradient may have other strides.
struct MomentJob {
  torch::Tensor parameter, gradient, firstMoment, secondMoment;
  MomentUpdate update;
};
// All tensors of a model at once: one parallel loop over blocks of all tensors, elementwise, so the result
// depends neither on the thread count nor on which tensors go together. Of a device: device_moments.h.
void applyMomentUpdates(std::vector<MomentJob> jobs);

}  // namespace fathom
