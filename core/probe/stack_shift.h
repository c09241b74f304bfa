// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/analysis/dependency/output_shift.h"
#include "core/base/errors/result.h"
#include "core/nn/models/model.h"
#include "core/probe/forward_pass.h"

namespace fathom {

class ResidualScheme;

// Disturbance of weights (docs/analyses.md §4): biases, norms and ω stay; embeddings as an option.
struct Perturbation {
  enum class Kind {
    RandomSign,  // p − δ·s, s = ±1 by a fair coin from a stream of (seed, parameter name)
    AdamStep     // p − δ·sign(gradient): the first bias-corrected step of Adam
  };
  Kind kind = Kind::RandomSign;
  double delta = 1e-4;
  std::uint64_t seed = 1;
  bool includeEmbeddings = false;
  StackKind stack = StackKind::None;  // only weights of this stack (and embeddings); None: of all
};

// True where the perturbation touches a parameter: weights of the branches, never biases, norms or scheme
// parameters.
bool perturbs(const ParameterInfo& parameter, const Perturbation& perturbation);

// Changes the weights for as long as it lives, and puts the very same values back.
class PerturbedWeights {
 public:
  // AdamStep reads the gradients accumulated in the store.
  PerturbedWeights(ParameterStore& store, const Perturbation& perturbation);
  ~PerturbedWeights();
  PerturbedWeights(const PerturbedWeights&) = delete;
  PerturbedWeights& operator=(const PerturbedWeights&) = delete;

 private:
  std::vector<std::pair<torch::Tensor, torch::Tensor>> m_saved;  // view, original values
};

// Shift of one stack's streams between two forward passes over the same batch in evaluation mode.
struct StackShift {
  std::vector<SublayerSite> sites;
  std::vector<OutputShift> afterSublayer;  // x_i of each sub-layer: prefix of a deeper net
  std::vector<OutputShift> afterTopNorm;   // the same through the stack's top norm; equal where there is none
  std::int64_t realTokens = 0;
};
// One batch of a shift; realTokens bool [B, T] or undefined.
struct ShiftBatch {
  ForwardPass forward;
  torch::Tensor realTokens;
};
// `scheme` is the stack's, `store` holds the weights that the forward passes use. The batches count as one.
// Layers: whose last stream is looked at; empty: every stream.
Result<StackShift> probeOutputShift(ParameterStore& store, const ResidualScheme& scheme,
                                    const std::vector<ShiftBatch>& batches, StepContext context,
                                    const Perturbation& perturbation,
                                    const std::set<std::int64_t>& layers = {});

// The same of the stack's last stream alone, through its top norm, and with no forward pass over unchanged
// weights: `last` [B, T, d] is what that gave, of one batch.
Result<OutputShift> probeLastShift(ParameterStore& store, const ResidualScheme& scheme,
                                   const ShiftBatch& batch, const StepContext& context,
                                   const Perturbation& perturbation, const torch::Tensor& last);

}  // namespace fathom
