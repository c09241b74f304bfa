// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <string>
#include <vector>

#include "core/analysis/dependency/beta_dependency.h"
#include "core/base/errors/result.h"
#include "core/nn/models/model.h"
#include "core/nn/residual/residual_scheme.h"
#include "core/nn/token_masks.h"
#include "core/probe/forward_pass.h"

namespace fathom {

// The stream of one stack taken apart: x_0, every branch output and what the scheme does to their sum.
struct StackBranches {
  StackKind stack = StackKind::Encoder;
  torch::Tensor input, output;          // x_0 and x_n before a top norm, float64 CPU [B, T, d]
  std::vector<SublayerSite> sites;      // in order of execution
  std::vector<torch::Tensor> branches;  // a_i, float64 CPU [B, T, d]
};

// Runs one forward in evaluation mode and records every stack it passes through; those of a frozen part whose
// output is kept only with `frozenParts`. An observer of `context` is told of stacks and sub-layers, too.
std::vector<StackBranches> recordBranches(const ForwardPass& forward, StepContext context,
                                          bool frozenParts = false);

// Real tokens of the recorded stacks of several batches of one model; padding is dropped at once.
class RealBranches {
 public:
  void add(std::vector<StackBranches> batch, const TokenMasks& realTokens);
  // Every stack as one sequence, float64 CPU [1, N, d]; nothing is left behind.
  std::vector<StackBranches> joined();

 private:
  std::vector<std::vector<StackBranches>> m_batches;  // states [N, d]
};

// β_ij of a recorded stack under its scheme (Admin §4.1, exact recursion). Works at initialisation and at any
// checkpoint. `realTokens` bool [B, T] or undefined.
Result<BetaDependency> betaOfStack(const StackBranches& recorded, const ResidualScheme& scheme,
                                   const torch::Tensor& realTokens,
                                   DependencyComponents* components = nullptr);
// β²_ii of its sub-layers alone: the diagonal of the same.
Result<std::vector<double>> ownSharesOfStack(const StackBranches& recorded, const ResidualScheme& scheme,
                                             const torch::Tensor& realTokens);

}  // namespace fathom
