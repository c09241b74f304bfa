// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/recipes/library_source.h"
#include "core/library/figures/figure_pins.h"

namespace fathom {

// Runs of a project as one stored figure sees them: stored results come from its pins, by content and not by
// "what was computed last"; what no pin answers is looked up as in a LibrarySource. Notes every answer, so
// that a figure can be pinned by being built once. Metrics and outcomes of runs are not pinned: they are the
// runs' own. One thread; `source` is borrowed.
class PinnedSource : public AnalysisSource {
 public:
  PinnedSource(LibrarySource& source, std::optional<FigurePins> pins);
  std::vector<std::string> runs() const override { return m_source.runs(); }
  int colourOf(const std::string& run) const override { return m_source.colourOf(run); }
  Result<RunCurve> curve(const std::string& run, const std::string& metric) override {
    return m_source.curve(run, metric);
  }
  Result<RunFacts> facts(const std::string& run) override { return m_source.facts(run); }
  Result<double> parameters(const std::string& run) override { return m_source.parameters(run); }
  Result<std::int64_t> ranks(const std::string& run) override { return m_source.ranks(run); }
  Result<LoggedHistograms> histograms(const std::string& run, const std::string& tag) override {
    return m_source.histograms(run, tag);
  }
  Result<ProbedResult> probed(const std::string& run, const std::string& analysis,
                              const std::string& checkpoint) override;
  // A pinned result that is gone or has changed is a data error that says how to compute it again.
  Result<ProbedResult> probedWith(const std::string& run, const std::string& analysis,
                                  const std::string& checkpoint, const Json& options) override;
  std::vector<std::string> probedCheckpoints(const std::string& run, const std::string& analysis) override;
  // The questions asked so far, with their answers.
  const FigurePins& answers() const { return m_answers; }
  // Every question until now was answered by a pin.
  bool allPinned() const { return m_allPinned; }

 private:
  Result<ProbedResult> fromPin(const PinnedResult& pin);
  Result<ProbedResult> lookUp(const PinnedResult& asked);
  void note(const PinnedResult& answer);
  LibrarySource& m_source;
  std::optional<FigurePins> m_pins;
  FigurePins m_answers;
  bool m_allPinned = true;
};

}  // namespace fathom
