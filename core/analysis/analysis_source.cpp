// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/analysis_entry.h"

#include <algorithm>

#include "core/base/json/json_members.h"

namespace fathom {

int AnalysisSource::colourOf(const std::string& run) const {
  const std::vector<std::string> all = runs();
  const auto found = std::find(all.begin(), all.end(), run);
  return found == all.end() ? 0 : static_cast<int>(found - all.begin());
}

Result<RunFacts> AnalysisSource::facts(const std::string& run) {
  return dataError(Phrase::tr("run %1 comes from a source without options and outcomes")(run));
}

Result<double> AnalysisSource::parameters(const std::string& run) {
  return dataError(Phrase::tr("run “%1” does not say how many parameters it has")(run),
                   Phrase::tr("choose a run that was trained by this program"));
}

Result<std::int64_t> AnalysisSource::ranks(const std::string& run) {
  FATHOM_TRY(const RunFacts known, facts(run));
  return memberInteger(known.options, "parallel.ranks", 1);
}

Result<LoggedHistograms> AnalysisSource::histograms(const std::string& run, const std::string&) {
  return dataError(Phrase::tr("run %1 comes from a source without histograms")(run));
}

Result<ProbedResult> AnalysisSource::probed(const std::string& run, const std::string& analysis,
                                            const std::string&) {
  return dataError(Phrase::tr("run %1 comes from a source without results of %2")(run, analysis));
}

Result<ProbedResult> AnalysisSource::probedWith(const std::string& run, const std::string& analysis,
                                                const std::string& checkpoint, const Json&) {
  return probed(run, analysis, checkpoint);
}

std::vector<std::string> AnalysisSource::probedCheckpoints(const std::string&, const std::string&) {
  return {};
}

Error noRunChosen(const Phrase& hint) {
  return usageError(Phrase::tr("no run is chosen"), hint);
}

}  // namespace fathom
