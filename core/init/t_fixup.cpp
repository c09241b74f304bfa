// SPDX-License-Identifier: Apache-2.0
#include "core/init/t_fixup.h"

#include <cmath>
#include <map>

#include "core/base/options/field_builder.h"
#include "core/init/tensor_fill.h"
#include "core/init/xavier.h"

namespace fathom {

namespace {

// Factors of the maps and of the token table of a stack; a table shared by stacks goes by the encoder.
struct Factors {
  double map = 1, table = 1;
};

std::map<StackKind, Factors> factorsFor(const Model& model) {
  std::map<StackKind, Factors> factors;
  for (const StackDescription& stack : model.stacks()) {
    const auto layers = static_cast<double>(stack.layers);
    const double ninth = std::pow(9 * layers, -0.25);
    factors[stack.kind] = {stack.kind == StackKind::Decoder ? ninth : 0.67 * std::pow(layers, -0.25), ninth};
  }
  factors[StackKind::None] = factors[StackKind::Encoder];
  return factors;
}

}  // namespace

void scaleTFixup(InitTarget& target, bool tables) {
  const std::map<StackKind, Factors> factors = factorsFor(target.model);
  for (const Parameter& parameter : target.model.parameters().parameters()) {
    if (!target.takes(parameter.info)) continue;
    const auto [map, table] = factors.at(parameter.info.stack);
    switch (parameter.info.role) {
      case ParameterRole::TokenEmbedding:
        if (tables) scaleBy(target, parameter, table, "t_fixup table");
        break;
      case ParameterRole::Value:
        scaleBy(target, parameter, map * std::sqrt(2.0), "t_fixup value");
        break;
      case ParameterRole::AttentionOutput:
      case ParameterRole::FeedForwardInput:
      case ParameterRole::FeedForwardOutput:
        scaleBy(target, parameter, map, "t_fixup map");
        break;
      default:
        break;
    }
  }
}

namespace {

Status fillTFixup(InitTarget& target) {
  FATHOM_CHECK(fillXavier(target));
  scaleTFixup(target, target.options.flag("init.t_fixup.scale_tables"));
  return {};
}

std::vector<OptionField> tFixupFields() {
  return {flagField("init.t_fixup.scale_tables", "Scale token tables",
                    "Off: the variant without the constraint on the input.", true)
              .reference("T-Fixup §3")};
}

}  // namespace

InitEntry tFixupEntry() {
  return {.id = "t_fixup",
          .title = "T-Fixup",
          .reference = "Huang et al. 2020",
          .fields = tFixupFields,
          .fill = fillTFixup,
          .depthDependent = true};
}

}  // namespace fathom
