// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include "core/base/errors/word_table.h"
#include "core/nn/parameter_store.h"
#include "core/nn/residual/residual_scheme.h"
#include "core/nn/step_context.h"

namespace fathom {

enum class Activation { Relu, GeluErf, GeluTanh };
inline constexpr EnumWord<Activation> kActivations[] = {{Activation::Relu, "relu", "ReLU"},
                                                        {Activation::GeluErf, "gelu_erf", "GELU (erf)"},
                                                        {Activation::GeluTanh, "gelu_tanh", "GELU (tanh)"}};
torch::Tensor activate(const torch::Tensor& x, Activation activation);

// W2 drop(act(W1 x + b1)) + b2. FixUp: no biases, scalar shifts before and after the activation.
class FeedForward {
 public:
  // `where`: prefix "encoder.layers.0.feed_forward" and place.
  FeedForward(ParameterStore& store, const ParameterInfo& where, std::int64_t width, std::int64_t hidden,
              Activation activation, double dropout, bool biases);
  torch::Tensor forward(const torch::Tensor& x, const BranchShifts& shifts, const SublayerSite& site,
                        const StepContext& context) const;

 private:
  torch::Tensor m_inWeight, m_inBias, m_outWeight, m_outBias;
  Activation m_activation;
  double m_dropout;
};

}  // namespace fathom
