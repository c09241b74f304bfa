// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "core/objectives/objective.h"
#include "core/optim/gradient_clip.h"
#include "core/optim/optimizer.h"
#include "core/train/parts/train_settings.h"

namespace fathom {

// Sums over the micro-batches of one update.
struct UpdateSums {
  double loss = 0;  // natural log
  double units = 0;
  std::int64_t microBatches = 0;
  NamedValues sums;    // per LossSum name
  NamedValues counts;  // the same order
  NamedValues means() const;
};

// Adds gradients of micro-batches and applies them once: the only place where losses are normalised. Per
// unit: (sum of gradients of summed losses) / (sum of units); mean of micro-batches: mean of (gradient /
// units); per accumulation: their sum over `accumulation`. A micro-batch without units adds nothing. Then
// clipping, then the optimiser.
class UpdateStep {
 public:
  UpdateStep(Optimizer& optimizer, Normalisation normalisation, ClipRule clip, double maxNorm,
             std::int64_t accumulation = 1);

  // Losses are multiplied by it before the backward pass and gradients divided after; set between updates.
  void setLossScale(double scale) { m_lossScale = scale; }
  // Backward pass of one micro-batch; gradients add up in the parameters.
  void add(const LossTerms& terms);
  // The same for gradients that are there already (data-parallel workers, tests): sums and counts only.
  void addSums(double loss, double units);
  // Reads the scalars back from the device: once per update, when its batches are in.
  const UpdateSums& sums();

  // Norm of the normalised gradient before clipping. Non-finite when a gradient is.
  double gradientNorm();
  // Applies the update.
  void apply(double learningRate);
  // Drops sums and gradients: start of the next update.
  void begin();

 private:
  double normaliser() const;
  Optimizer& m_optimizer;
  Normalisation m_normalisation;
  ClipRule m_clip;
  double m_maxNorm;
  std::int64_t m_accumulation;
  std::vector<torch::Tensor> m_tensors;
  UpdateSums m_sums;
  std::vector<LossTerms> m_pending;  // scalars still on the device
  double m_clipFactor = 1, m_lossScale = 1;
};

}  // namespace fathom
