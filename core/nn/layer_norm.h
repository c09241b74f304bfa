// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include "core/nn/joined_norm.h"
#include "core/nn/parameter_store.h"

namespace fathom {

// Layer norm over the last dimension, biased variance: gamma (x - mean) / sqrt(var + eps) + beta. gamma
// starts at 1.
struct LayerNorm {
  torch::Tensor weight, bias;  // [d]
  double eps = 1e-5;

  LayerNorm() = default;
  // Declares "<prefix>.weight" and "<prefix>.bias"; `where` gives stack, layer and sublayer.
  LayerNorm(ParameterStore& store, const std::string& prefix, ParameterInfo where, std::int64_t width,
            double epsilon)
      : eps(epsilon) {
    where.name = prefix + ".weight";
    where.role = ParameterRole::NormWeight;
    weight = store.add(where, {width}, 1);
    where.name = prefix + ".bias";
    where.role = ParameterRole::NormBias;
    bias = store.add(where, {width}, 0);
  }
  torch::Tensor operator()(const torch::Tensor& x) const {
    if (joinedNormFits(x, *this)) return joinedNorm({x, {}, {}, 0, 0}, *this);
    return at::layer_norm(x, weight.sizes(), weight, bias, eps);
  }
};

}  // namespace fathom
