// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <vector>

#include "core/objectives/objective.h"

namespace fathom {

// What forward and backward passes of an update leave: terms of its micro-batches, and gradients.
struct PassResults {
  std::vector<LossTerms> terms;
  std::vector<torch::Tensor> gradients;  // of the optimiser's parameters; undefined where there is none
};

// Gathers them: an update before it is applied (core/train/loop/update_step.h).
class PassGatherer {
 public:
  virtual ~PassGatherer() = default;
  virtual void begin() = 0;                      // drops what was gathered
  virtual void add(const LossTerms& terms) = 0;  // with the backward pass of a micro-batch
  virtual PassResults gathered() const = 0;
  // As if everything had been added that gave `results`; behind begin().
  virtual void take(const PassResults& results) = 0;
};

}  // namespace fathom
