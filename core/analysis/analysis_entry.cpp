// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/analysis_entry.h"

#include <algorithm>

namespace fathom {

const AnalysisEntry* findAnalysisEntry(std::string_view id) {
  const auto& all = analyses();
  const auto found =
      std::find_if(all.begin(), all.end(), [id](const AnalysisEntry& entry) { return entry.id == id; });
  return found == all.end() ? nullptr : &*found;
}

int probeVersion(std::string_view analysis) {
  const AnalysisEntry* entry = findAnalysisEntry(analysis);
  return entry == nullptr ? 1 : entry->version;
}

bool probeTakesExamples(std::string_view analysis) {
  const AnalysisEntry* entry = findAnalysisEntry(analysis);
  return entry != nullptr && entry->takesExamples;
}

bool probeResultHolds(std::string_view analysis, int version, const Json& options, const Json& runOptions) {
  const AnalysisEntry* entry = findAnalysisEntry(analysis);
  if (entry == nullptr || version >= entry->version) return true;
  return entry->holds != nullptr && entry->holds(version, options, runOptions);
}

}  // namespace fathom
