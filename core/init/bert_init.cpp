// SPDX-License-Identifier: Apache-2.0
#include "core/init/tensor_fill.h"
#include "core/nn/field_builder.h"

namespace fathom {

namespace {

// transformers.md §1.10: truncated normal (redrawn beyond two deviations) for maps and tables, biases 0,
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
        fillConstant(target, parameter, parameter.initialConstant);
        break;
      default:
        fillTruncatedNormal(target, parameter, deviation);
        break;
    }
  }
  return {};
}

std::vector<OptionField> bertInitFields() {
  return {FieldBuilder("init.bert.deviation", OptionType::Real, 0.02)
              .title("Standard deviation")
              .help("Before values beyond two deviations are drawn again, which leaves 0.88 of it.")
              .above(0)
              .reference("transformers.md §1.10")};
}

}  // namespace

InitEntry bertInitEntry() {
  return {"bert",
          "BERT truncated normal",
          "Devlin et al. 2019",
          bertInitFields,
          [] { return std::vector<OptionRule>(); },
          fillBert,
          nullptr};
}

}  // namespace fathom
