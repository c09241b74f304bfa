// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "core/init/tensor_fill.h"
#include "core/init/xavier.h"

namespace fathom {

namespace {

// docs/initialisation.md §8: Xavier-normal single maps; gain on fc1, fc2, W_v and out: encoder .87
// (N_e^4 N_d)^-1/16, decoder (12 N_d)^-1/4, a stack alone (8N)^-1/4; query and key gain 1.
double gainFor(const Model& model, StackKind kind) {
  double encoder = 0, decoder = 0;
  for (const StackDescription& stack : model.stacks()) {
    if ((stack.kind == StackKind::Extra) != (kind == StackKind::Extra)) continue;  // extra layers stand alone
    (stack.kind == StackKind::Decoder ? decoder : encoder) = static_cast<double>(stack.layers);
  }
  if (encoder == 0 || decoder == 0) return std::pow(8 * (encoder + decoder), -0.25);
  if (kind == StackKind::Decoder) return std::pow(12 * decoder, -0.25);
  return 0.87 * std::pow(std::pow(encoder, 4) * decoder, -1.0 / 16);
}

Status fillDeepnet(InitTarget& target) {
  FATHOM_CHECK(fillXavier(target));
  const ParameterStore& store = target.model.parameters();
  for (const Parameter& parameter : store.parameters()) {
    if (!target.takes(parameter.info)) continue;
    const torch::Tensor value = store.value(parameter);
    switch (parameter.info.role) {
      case ParameterRole::Query:
      case ParameterRole::Key:
        fillNormal(target, parameter, xavierDeviation(value.size(1), value.size(0), 1));
        break;
      case ParameterRole::Value:
      case ParameterRole::AttentionOutput:
      case ParameterRole::FeedForwardInput:
      case ParameterRole::FeedForwardOutput:
        fillNormal(
            target, parameter,
            xavierDeviation(value.size(1), value.size(0), gainFor(target.model, parameter.info.stack)));
        break;
      default:
        break;
    }
  }
  return {};
}

}  // namespace

InitEntry deepnetInitEntry() {
  return {.id = "deepnet",
          .title = "DeepNet",
          .reference = "Wang et al. 2022",
          .fill = fillDeepnet,
          .depthDependent = true};
}

}  // namespace fathom
