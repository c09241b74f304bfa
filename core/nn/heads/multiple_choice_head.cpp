// SPDX-License-Identifier: Apache-2.0
#include "core/nn/models/pooled_head.h"

namespace fathom {

HeadEntry multipleChoiceHeadEntry() {
  return {
      .id = "multiple_choice",
      .title = "Multiple choice",
      .reference = "DT-Fixup App. D",
      .reads = {Representation::Pooled},
      .shape = "[B, 1]",
      .lossInputs = {"labels"},
      .fields = [](const std::string& prefix) { return std::vector<OptionField>{headInputField(prefix)}; },
      .make = [](const HeadSite& site) -> std::unique_ptr<Head> {
        return std::make_unique<PooledHead>(site, "multiple_choice", 1);
      }};
}

}  // namespace fathom
