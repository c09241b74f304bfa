// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/requests/analysis_job.h"
#include "core/analysis/analysis_entry.h"
#include "core/library/runs/curve_index.h"
#include "core/library/runs/run_listing.h"
#include "core/record/results/analysis_store.h"

namespace fathom {

// A result that was asked for and is not computed.
struct MissingResult {
  RunRow run;
  std::string analysis;
  std::string checkpoint;  // "" = the newest
  Json options = Json::object();
};
// The analysis that computes it.
AnalysisWish wishOf(const MissingResult& missing);

// Runs of a project as the source of analyses and figures. Runs whose options differ in nothing but the seed
// (and where they ran) form a group. What is read of a run bears its short name (namesOfRows) and the look
// that the project keeps; rows() are as they came. What lies in the runs' folders is listed once: open
// another source to see results that came later. One thread; library and rows must be of the same project.
class LibrarySource : public AnalysisSource {
 public:
  static Result<std::unique_ptr<LibrarySource>> open(const std::string& project, std::vector<RunRow> rows);
  std::vector<std::string> runs() const override;
  int colourOf(const std::string& run) const override;
  Result<RunCurve> curve(const std::string& run, const std::string& metric) override;
  Result<RunFacts> facts(const std::string& run) override;
  Result<double> parameters(const std::string& run) override;
  Result<std::int64_t> ranks(const std::string& run) override;
  Result<LoggedHistograms> histograms(const std::string& run, const std::string& tag) override;
  Result<ProbedResult> probed(const std::string& run, const std::string& analysis,
                              const std::string& checkpoint) override;
  Result<ProbedResult> probedWith(const std::string& run, const std::string& analysis,
                                  const std::string& checkpoint, const Json& options) override;
  // The name that a word for a checkpoint means for a run, "init" included; the word itself where it has
  // none.
  std::string checkpointOf(const std::string& run, const std::string& word) const;
  // The checkpoint that a word means for a run among those that are kept or have such a result; empty where
  // there is none.
  std::string checkpointOf(const std::string& run, const std::string& analysis, const std::string& checkpoint,
                           const Json& options) const;
  // True if there is one, without reading it.
  bool hasProbed(const std::string& run, const std::string& analysis, const std::string& checkpoint,
                 const Json& options) const;
  std::vector<std::string> probedCheckpoints(const std::string& run, const std::string& analysis) override;
  // Folder of the result with that key, whatever version computed it; empty where it is not there.
  Result<std::string> resultFolder(const std::string& run, const std::string& analysis,
                                   const std::string& key) const;
  // The result in such a folder, of that checkpoint.
  Result<ProbedResult> readResult(const std::string& run, const std::string& analysis,
                                  const std::string& checkpoint, const std::string& folder) const;
  // The command line that computes a result: options as probedWith takes them, no checkpoint = the newest.
  std::string analyseLine(const std::string& run, const std::string& analysis, const std::string& checkpoint,
                          const Json& options) const;
  const std::vector<RunRow>& rows() const { return m_rows; }
  // The one that probedWith had to refuse last.
  const std::optional<MissingResult>& missing() const { return m_missing; }

 private:
  LibrarySource() = default;
  Result<const RunRow*> row(const std::string& uuid) const;
  Result<std::map<std::string, int>> looksOf(ProjectLibrary& library) const;
  const std::string& seedGroup(const RunRow& row) const;  // `row` is one of m_rows
  const std::string& nameOf(const RunRow& row) const;     // the same
  struct Found {
    std::string checkpoint, folder;  // no folder: not computed
  };
  Result<Found> find(const RunRow& row, const std::string& analysis, const std::string& checkpoint,
                     const Json& options) const;
  std::string m_project;
  std::optional<MissingResult> m_missing;
  std::vector<RunRow> m_rows;
  std::vector<std::string> m_seedGroups;  // of m_rows
  std::vector<std::string> m_names;       // of m_rows
  std::map<std::string, int> m_looks;
  std::unique_ptr<CurveIndex> m_index;
  // By run, and by run and analysis: read when first asked for.
  const std::vector<std::string>& kept(const RunRow& row) const;
  Result<const std::vector<StoredRequest>*> requests(const RunRow& row, const std::string& analysis) const;
  mutable std::map<std::string, std::vector<std::string>> m_kept;
  mutable std::map<std::pair<std::string, std::string>, std::vector<StoredRequest>> m_requests;
};

// A run does not have a metric that must be there: names run, metric and those it has.
Error missingMetric(const RunRow& row, const std::string& metric, const std::vector<std::string>& metrics);

}  // namespace fathom
