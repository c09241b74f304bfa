// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/analysis_entry.h"

namespace fathom {

Result<ProbedResult> AnalysisSource::probed(const std::string& run, const std::string& analysis,
                                            const std::string&) {
  return dataError("run " + run + " comes from a source without results of " + analysis);
}

}  // namespace fathom
