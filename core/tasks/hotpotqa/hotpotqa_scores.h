// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/tasks/hotpotqa/hotpotqa_layout.h"

namespace fathom {

struct HotpotScore {
  struct Part {
    double exact = 0, f1 = 0, precision = 0, recall = 0;
  };
  Part answer, facts, joint;
};
struct HotpotGold {
  std::string answer;
  std::vector<SupportingFact> facts;
};
// Of one example, as the official script says (docs/long_inputs.md §5): yes, no and noanswer must be equal.
// What is missing counts 0 for its part and the joint one.
HotpotScore hotpotScore(const HotpotGold& gold, const std::optional<std::string>& answer,
                        const std::optional<std::vector<SupportingFact>>& facts);
// Mean of those; all 0 for none.
HotpotScore meanHotpotScore(const std::vector<HotpotScore>& scores);

}  // namespace fathom
