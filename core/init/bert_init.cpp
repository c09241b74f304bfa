// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "core/base/options/field_builder.h"
#include "core/init/tensor_fill.h"

namespace fathom {

namespace {

// Start that the Pre-LN baseline is said to have (docs/initialisation.md §2): the last map of every branch
// divided by sqrt(2 layers).
void scaleOutputs(InitTarget& target) {
  double layers = 0;
  for (const StackDescription& stack : target.model.stacks())
    if (stack.kind != StackKind::Global) layers += static_cast<double>(stack.layers);
  for (const Parameter& parameter : target.model.parameters().parameters()) {
    const ParameterRole role = parameter.info.role;
    const bool last = role == ParameterRole::AttentionOutput || role == ParameterRole::FeedForwardOutput;
    if (last && target.takes(parameter.info))
      scaleBy(target, parameter, 1 / std::sqrt(2 * layers), "residual output");
  }
}

// docs/initialisation.md §2: truncated normal (redrawn beyond two deviations) for maps and tables, biases 0,
// layer norms 1 and 0.
Status fillBert(InitTarget& target) {
  const double deviation = target.options.real("init.bert.deviation");
  for (const Parameter& parameter : target.model.parameters().parameters()) {
    if (!target.takes(parameter.info)) continue;
    switch (parameter.info.role) {
      case ParameterRole::Bias:
      case ParameterRole::NormWeight:
      case ParameterRole::NormBias:
      case ParameterRole::Scheme:
        fillDeclared(target, parameter);
        break;
      case ParameterRole::RelationTable:
        fillTruncatedNormal(target, parameter, target.options.real("init.bert.relation_deviation"));
        break;
      default:
        fillTruncatedNormal(target, parameter, deviation);
        break;
    }
  }
  if (target.options.flag("init.bert.scale_outputs")) scaleOutputs(target);
  return {};
}

std::vector<OptionField> bertInitFields() {
  return {realField("init.bert.deviation", "Standard deviation",
                    "Before values beyond two deviations are drawn again, which leaves 0.88 of it.", 0.02)
              .above(0)
              .reference("BERT's code, initializer_range"),
          realField("init.bert.relation_deviation", "Standard deviation of relation tables",
                    "Of the tables of relative positions of an encoder of two streams (ETC).", 0.5)
              .above(0)
              .reference("ETC's code, RelativeAttention")
              .when("encoder.attention", {"global_local"}),
          flagField("init.bert.scale_outputs", "Scale residual outputs",
                    "Divides the last map of every branch by the root of twice the layers, as for Pre-LN.")
              .reference("Radford et al. 2019; RealFormer §4.1")};
}

}  // namespace

InitEntry bertInitEntry() {
  return {
      .id = "bert",
      .title = "BERT truncated normal",
      .reference = "Devlin et al. 2019",
      .fields = bertInitFields,
      .fill = fillBert,
      .looksAtDepth = [](const OptionValues& options) { return options.flag("init.bert.scale_outputs"); }};
}

}  // namespace fathom
