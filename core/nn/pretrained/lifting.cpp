// SPDX-License-Identifier: Apache-2.0
#include "core/nn/pretrained/lifting.h"

#include <string_view>

namespace fathom {

namespace {
constexpr std::string_view kGlobalStack = "global.", kGlobalNorm = "embedding.global_layer_norm.";
}  // namespace

std::optional<LiftedFrom> liftedFrom(const std::string& parameter) {
  if (parameter.find(".relation.") != std::string::npos) return std::nullopt;
  if (parameter == "embedding.segment.weight") return LiftedFrom{parameter, true};
  if (parameter.starts_with(kGlobalNorm))
    return LiftedFrom{"embedding.layer_norm." + parameter.substr(kGlobalNorm.size())};
  if (parameter.starts_with(kGlobalStack))
    return LiftedFrom{"encoder." + parameter.substr(kGlobalStack.size())};
  return LiftedFrom{parameter};
}

}  // namespace fathom
