// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "core/nn/device_upload.h"
#include "core/objectives/objective.h"
#include "core/optim/gradient_clip.h"
#include "core/optim/optimizer.h"
#include "core/train/graphs/pass_results.h"
#include "core/train/parallel/rank_share.h"
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
class UpdateStep final : public PassGatherer {
 public:
  UpdateStep(Optimizer& optimizer, Normalisation normalisation, ClipRule clip, double maxNorm,
             std::int64_t accumulation = 1);

  // One of several ranks computes some of the micro-batches; `ranks` is borrowed. Before the first update.
  void share(RankShare& ranks, std::int64_t mostMicroBatches);
  // Losses are multiplied by it before the backward pass and gradients divided after; set between updates.
  void setLossScale(double scale) { m_lossScale = scale; }
  void add(const LossTerms& terms) override { add(terms, -1, true); }
  // Backward pass of one micro-batch; gradients add up in the parameters. `place` is its own in the update,
  // -1 behind the one before. `last`: this rank has no further one.
  void add(const LossTerms& terms, std::int64_t place, bool last);
  // The same for gradients that are there already (data-parallel workers, tests): sums and counts only.
  void addSums(double loss, double units);
  // Reads the scalars back from the device: once per update, when its batches are in.
  const UpdateSums& sums();

  // Norm of the normalised gradient before clipping. Non-finite when a gradient is.
  double gradientNorm();
  // Applies the update.
  void apply(double learningRate);
  // Drops sums and gradients: start of the next update.
  void begin() override;
  PassResults gathered() const override;
  void take(const PassResults& results) override;

  // --- On a device, whose numbers are read later.
  // The losses and the norm of an update on their way to the host.
  struct Launched {
    std::vector<LossTerms> terms;    // tensors of the device
    std::vector<TermNumbers> known;  // of all ranks, where there are several: they are read at once
    LateNumbers numbers;
    double units = 0, normaliser = 0;
  };
  // Norm, clipping and optimiser of what was added, without a wait but for the other ranks. An update whose
  // norm or first sum is not finite, and every one behind it, leaves the weights as they are.
  Launched launch(double learningRate);
  // Waits for the numbers of an update: sums() are then its sums. Norm as gradientNorm().
  double read(const Launched& launched);
  // Updates count again after one that was not finite.
  void forgetBroken() { m_broken = torch::Tensor(); }

 private:
  double normaliser() const;
  std::vector<TermNumbers> meetOthers();
  void addTerms(const std::vector<LossTerms>& terms, std::vector<double>::const_iterator value);
  void addNumbers(const TermNumbers& term);
  // [] float32: 1 since something was not finite, else 0; `checked` [n] float64.
  torch::Tensor leftOut(const torch::Tensor& checked);

  Optimizer& m_optimizer;
  Normalisation m_normalisation;
  ClipRule m_clip;
  double m_maxNorm;
  std::int64_t m_accumulation;
  std::vector<torch::Tensor> m_tensors;
  UpdateSums m_sums;
  std::vector<LossTerms> m_pending;    // scalars still on the device
  std::vector<std::int64_t> m_places;  // of those
  RankShare* m_ranks = nullptr;
  bool m_met = false;  // sums and gradients are those of all ranks
  double m_clipFactor = 1, m_lossScale = 1;
  torch::Tensor m_broken;   // [] float64 of the device: NaN since something was not finite, else 0
  torch::Tensor m_nothing;  // zeros that are multiplied with what is checked
};

}  // namespace fathom
