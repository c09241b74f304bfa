// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/record/results/analysis_store.h"

namespace fathom::test {

// All finished results of one analysis, oldest first; unreadable ones are left out.
inline std::vector<StoredAnalysis> listAnalyses(const std::string& root, const std::string& analysis) {
  std::vector<StoredAnalysis> list;
  for (const StoredRequest& request : listAnalysisRequests(root, analysis).value())
    if (auto stored = readAnalysis(request.path); stored.ok()) list.push_back(std::move(*stored));
  return list;
}

}  // namespace fathom::test
