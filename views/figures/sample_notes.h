// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/analysis/analysis_entry.h"
#include "core/base/errors/phrase.h"

namespace fathom {

// "Computed from 100 of 1000 examples of the validation part, drawn at random (seed 1)", of `run` unless that
// is empty: what a result says of its examples ("sample", core/tasks/example_sample.h).
Phrase samplePhrase(const Json& sample, const std::string& run = {});

// Another source, which remembers from which examples the results were computed that a figure took from it
// ("sample" of a result, core/tasks/example_sample.h): every figure says it in the same words. The source is
// borrowed. One thread.
class SampledSource final : public AnalysisSource {
 public:
  explicit SampledSource(AnalysisSource& source) : m_source(source) {}
  // One sentence where all are of the same sample, else one of each run; none without samples.
  std::vector<Phrase> notes() const;
  // For results that are read, but not shown.
  AnalysisSource& unnoted() const { return m_source; }

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
  Result<ProbedResult> probedWith(const std::string& run, const std::string& analysis,
                                  const std::string& checkpoint, const Json& options) override;
  std::vector<std::string> probedCheckpoints(const std::string& run, const std::string& analysis) override {
    return m_source.probedCheckpoints(run, analysis);
  }

 private:
  Result<ProbedResult> noted(Result<ProbedResult> probed);
  AnalysisSource& m_source;
  std::vector<std::pair<std::string, Json>> m_said;  // name of the run, its sample; each once
};

}  // namespace fathom
