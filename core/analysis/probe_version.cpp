// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/probe_version.h"

#include <map>

namespace fathom {

int probeVersion(std::string_view analysis) {
  static const std::map<std::string_view, int> versions = {
      {"attention_entropy", 3},  // a random sample instead of the first examples, which are the shortest
      {"attention_jsd", 3},      // the same, for all of these
      {"attention_maps", 2},     // one example alone
      {"beta_dependency", 2},   {"epoch_norm", 2},  {"gradient_norm", 2},
      {"input_norm", 3},        {"output_shift", 2}};
  const auto known = versions.find(analysis);
  return known == versions.end() ? 1 : known->second;
}

bool probeTakesExamples(std::string_view analysis) {
  return analysis == "attention_entropy" || analysis == "attention_jsd" || analysis == "input_norm";
}

}  // namespace fathom
