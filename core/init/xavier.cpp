// SPDX-License-Identifier: Apache-2.0
#include "core/init/xavier.h"

#include <cmath>

#include "core/init/tensor_fill.h"
#include "core/nn/field_builder.h"

namespace fathom {

Status fillXavier(InitTarget& target) {
  const ParameterStore& store = target.model.parameters();
  for (const Parameter& parameter : store.parameters()) {
    if (!target.takes(parameter.info)) continue;
    const torch::Tensor value = store.value(parameter);
    const std::int64_t out = value.size(0), in = value.dim() > 1 ? value.size(1) : 1;
    switch (parameter.info.role) {
      case ParameterRole::TokenEmbedding:
      case ParameterRole::OutputProjection:
      case ParameterRole::SegmentEmbedding:
      case ParameterRole::PositionEmbedding:
        fillNormal(target, parameter, 1 / std::sqrt(static_cast<double>(in)));
        break;
      case ParameterRole::Query:
      case ParameterRole::Key:
      case ParameterRole::Value:
        // One [3d, d] map in the released code: gain 1/sqrt(2) of the single maps.
        fillUniform(target, parameter, xavierBound(in, 3 * in, 1));
        break;
      case ParameterRole::AttentionOutput:
      case ParameterRole::RelationKey:
      case ParameterRole::RelationValue:
      case ParameterRole::FeedForwardInput:
      case ParameterRole::FeedForwardOutput:
      case ParameterRole::Dense:
        fillUniform(target, parameter, xavierBound(in, out, 1));
        break;
      case ParameterRole::Bias:
      case ParameterRole::NormWeight:
      case ParameterRole::NormBias:
      case ParameterRole::Scheme:
        fillConstant(target, parameter, parameter.initialConstant);
        break;
    }
  }
  return {};
}

InitEntry xavierEntry() {
  return {"xavier",
          "Xavier (fairseq)",
          "Glorot & Bengio 2010",
          [] { return std::vector<OptionField>(); },
          [] { return std::vector<OptionRule>(); },
          fillXavier,
          nullptr};
}

}  // namespace fathom
