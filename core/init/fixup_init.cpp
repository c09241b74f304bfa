// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "core/base/options/field_builder.h"
#include "core/init/tensor_fill.h"
#include "core/init/xavier.h"

namespace fathom {

namespace {

// docs/initialisation.md §7: L = 2 N_e + 3 N_d branches. Query, key, value: Xavier x L^-1/6; fc1: Xavier x
// L^-1/2; out and fc2: 0; separate output projection: 0.
Status fillFixup(InitTarget& target) {
  FATHOM_CHECK(fillXavier(target));
  double branches = 0;
  for (const StackDescription& stack : target.model.stacks()) {
    if (stack.kind == StackKind::Global) continue;  // its branches are the encoder's
    branches += static_cast<double>(stack.layers) * static_cast<double>(stack.sublayers.size());
  }
  const bool released = target.options.text("init.fixup.cross_attention_branches") == "released";
  for (const Parameter& parameter : target.model.parameters().parameters()) {
    if (!target.takes(parameter.info)) continue;
    const bool cross = parameter.info.layer >= 0 && parameter.info.sublayer == SublayerKind::CrossAttention;
    switch (parameter.info.role) {
      case ParameterRole::Query:
      case ParameterRole::Key:
      case ParameterRole::Value:
        scaleBy(target, parameter, std::pow(cross && released ? 12.0 : branches, -1.0 / 6),
                "fixup attention");
        break;
      case ParameterRole::FeedForwardInput:
        scaleBy(target, parameter, std::pow(branches, -0.5), "fixup feed-forward");
        break;
      case ParameterRole::AttentionOutput:
      case ParameterRole::FeedForwardOutput:
      case ParameterRole::OutputProjection:
        scaleBy(target, parameter, 0, "fixup zero");
        break;
      default:
        break;
    }
  }
  return {};
}

std::vector<OptionField> fixupFields() {
  return {choiceField("init.fixup.cross_attention_branches", "Branches seen by cross attention",
                      "The released code builds cross attention with a default of 12 branches instead of the "
                      "model's.",
                      {{"depth", "Branches of the model"}, {"released", "12 (released code)"}})
              .reference("FixUp's released code, transformer_zero")};
}

}  // namespace

InitEntry fixupInitEntry() {
  return {.id = "fixup",
          .title = "FixUp",
          .reference = "Zhang et al. 2019",
          .fields = fixupFields,
          .fill = fillFixup,
          .depthDependent = true};
}

}  // namespace fathom
