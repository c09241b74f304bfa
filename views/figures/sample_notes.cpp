// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/sample_notes.h"

#include <algorithm>

namespace fathom {

namespace {

Phrase partPhrase(const std::string& part) {
  if (part == "train") return Phrase::tr("training");
  for (const Phrase::Text known : {Phrase::tr("validation"), Phrase::tr("test")})
    if (part == known.english) return known;
  return part;
}

}  // namespace

Phrase samplePhrase(const Json& sample, const std::string& run) {
  const auto text = [&](const char* key) { return sample.value(key, std::string()); };
  const auto number = [&](const char* key) { return sample.value(key, std::int64_t{0}); };
  const Phrase part = partPhrase(text("part"));
  const bool all = run.empty();
  if (text("chosen") == "first") {
    if (all)
      return Phrase::tr(
          "Computed by an earlier version, from the first examples of sorted batches, the shortest.");
    return Phrase::tr(
        "%1: computed by an earlier version, from the first examples of sorted batches, the shortest.")(run);
  }
  if (text("chosen") == "given") {  // by whoever brought the attention of a model that did not run here
    if (all) return Phrase::tr("Brought from another program, of %1 examples.")(number("examples"));
    return Phrase::tr("%1: brought from another program, of %2 examples.")(run, number("examples"));
  }
  if (text("chosen") == "all") {
    if (all) return Phrase::tr("Computed from all %1 examples of the %2 part.")(number("of"), part);
    return Phrase::tr("%1: computed from all %2 examples of the %3 part.")(run, number("of"), part);
  }
  if (all)
    return Phrase::tr("Computed from %1 of %2 examples of the %3 part, drawn at random (seed %4).")(
        number("examples"), number("of"), part, number("seed"));
  return Phrase::tr("%1: computed from %2 of %3 examples of the %4 part, drawn at random (seed %5).")(
      run, number("examples"), number("of"), part, number("seed"));
}

Result<ProbedResult> SampledSource::noted(Result<ProbedResult> probed) {
  if (!probed.ok()) return probed;
  const Json& result = probed->result;
  if (!result.is_object() || !result.contains("sample") || !result["sample"].is_object()) return probed;
  const std::pair<std::string, Json> said = {probed->name, result["sample"]};
  if (std::find(m_said.begin(), m_said.end(), said) == m_said.end()) m_said.push_back(said);
  return probed;
}

Result<ProbedResult> SampledSource::probed(const std::string& run, const std::string& analysis,
                                           const std::string& checkpoint) {
  return noted(m_source.probed(run, analysis, checkpoint));
}

Result<ProbedResult> SampledSource::probedWith(const std::string& run, const std::string& analysis,
                                               const std::string& checkpoint, const Json& options) {
  return noted(m_source.probedWith(run, analysis, checkpoint, options));
}

std::vector<Phrase> SampledSource::notes() const {
  if (m_said.empty()) return {};
  const bool same = std::all_of(m_said.begin(), m_said.end(), [&](const auto& each) {
    return samplePhrase(each.second) == samplePhrase(m_said.front().second);
  });
  if (same) return {samplePhrase(m_said.front().second)};
  std::vector<Phrase> notes;
  for (const auto& [run, sample] : m_said) notes.push_back(samplePhrase(sample, run));
  return notes;
}

}  // namespace fathom
