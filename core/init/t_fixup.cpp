// SPDX-License-Identifier: Apache-2.0
#include "core/init/t_fixup.h"

#include <cmath>

#include "core/init/tensor_fill.h"
#include "core/init/xavier.h"
#include "core/nn/field_builder.h"

namespace fathom {

namespace {

struct Factors {
  double encoder, decoder, encoderTable, decoderTable;
};

Factors factorsFor(const Model& model) {
  double encoderLayers = 0, decoderLayers = 0;
  for (const StackDescription& stack : model.stacks()) {
    (stack.kind == StackKind::Decoder ? decoderLayers : encoderLayers) = static_cast<double>(stack.layers);
  }
  const auto ninth = [](double layers) { return std::pow(9 * layers, -0.25); };
  return {0.67 * std::pow(encoderLayers, -0.25), ninth(decoderLayers), ninth(encoderLayers),
          ninth(decoderLayers)};
}

}  // namespace

void scaleTFixup(InitTarget& target, bool tables) {
  const Factors factors = factorsFor(target.model);
  for (const Parameter& parameter : target.model.parameters().parameters()) {
    if (!target.takes(parameter.info)) continue;
    const bool decoder = parameter.info.stack == StackKind::Decoder;
    const double map = decoder ? factors.decoder : factors.encoder;
    switch (parameter.info.role) {
      case ParameterRole::TokenEmbedding:
        if (tables)
          scaleBy(target, parameter, decoder ? factors.decoderTable : factors.encoderTable, "t_fixup table");
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
  return {FieldBuilder("init.t_fixup.scale_tables", OptionType::Flag, true)
              .title("Scale token tables")
              .help("Off: the variant without the constraint on the input.")
              .reference("T-Fixup §3")};
}

}  // namespace

InitEntry tFixupEntry() {
  return {"t_fixup",  "T-Fixup", "Huang et al. 2020", tFixupFields, [] { return std::vector<OptionRule>(); },
          fillTFixup, nullptr};
}

}  // namespace fathom
