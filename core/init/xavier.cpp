// SPDX-License-Identifier: Apache-2.0
#include "core/init/xavier.h"

#include <cmath>

#include "core/base/options/field_builder.h"
#include "core/init/tensor_fill.h"

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
      case ParameterRole::RelationTable:
      case ParameterRole::FeedForwardInput:
      case ParameterRole::FeedForwardOutput:
      case ParameterRole::Recurrent:
      case ParameterRole::Dense:
        fillUniform(target, parameter, xavierBound(in, out, 1));
        break;
      case ParameterRole::Bias:
      case ParameterRole::NormWeight:
      case ParameterRole::NormBias:
      case ParameterRole::Scheme:
        fillDeclared(target, parameter);
        break;
    }
  }
  return {};
}

namespace {

// Gain 1 for every tensor of two dimensions, tables included; the rest as declared. Normal is what the
// baseline of DT-Fixup starts from (docs/initialisation.md §1).
Status fillGainOne(InitTarget& target, bool normal) {
  for (const Parameter& parameter : target.model.parameters().parameters()) {
    if (!target.takes(parameter.info)) continue;
    const torch::Tensor value = target.model.parameters().value(parameter);
    if (value.dim() < 2) {
      fillDeclared(target, parameter);
    } else if (normal) {
      fillNormal(target, parameter, xavierDeviation(value.size(1), value.size(0), 1));
    } else {
      fillUniform(target, parameter, xavierBound(value.size(1), value.size(0), 1));
    }
  }
  return {};
}

Status fillVariant(InitTarget& target) {
  const std::string variant = target.options.text("init.xavier.variant");
  return variant == "fairseq" ? fillXavier(target) : fillGainOne(target, variant == "normal");
}

std::vector<OptionField> xavierFields() {
  return {choiceField("init.xavier.variant", "Variant",
                      "fairseq: query, key and value as one map, so smaller by √2, and tables N(0, d^-1/2). "
                      "The others: gain 1 for every map and table.",
                      {{"fairseq", "fairseq"},
                       {"uniform", "Uniform, gain 1"},
                       {"normal", "Normal, gain 1 (DT-Fixup's baseline)"}})
              .reference("fairseq, multihead_attention; DT-Fixup App. C")};
}

}  // namespace

InitEntry xavierEntry() {
  return {.id = "xavier",
          .title = "Xavier",
          .reference = "Glorot & Bengio 2010",
          .fields = xavierFields,
          .fill = fillVariant};
}

}  // namespace fathom
