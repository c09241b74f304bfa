// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/sample_notes.h"

#include <algorithm>

namespace fathom {

namespace {

// "computed from 100 of 1000 examples of the validation part, drawn at random (seed 1)"; empty where a result
// does not say it.
std::string wordsOf(const Json& result) {
  if (!result.is_object() || !result.contains("sample") || !result["sample"].is_object()) return {};
  const Json& sample = result["sample"];
  const auto text = [&](const char* key) { return sample.value(key, std::string()); };
  const auto number = [&](const char* key) { return std::to_string(sample.value(key, std::int64_t{0})); };
  if (text("chosen") == "first")
    return "computed by an earlier version, from the first examples of sorted batches, the shortest";
  const std::string part = (text("part") == "train" ? "training" : text("part")) + " part";
  if (text("chosen") == "all") return "computed from all " + number("of") + " examples of the " + part;
  return "computed from " + number("examples") + " of " + number("of") + " examples of the " + part +
         ", drawn at random (seed " + number("seed") + ")";
}

}  // namespace

Result<ProbedResult> SampledSource::noted(Result<ProbedResult> probed) {
  if (!probed.ok()) return probed;
  const std::pair<std::string, std::string> said = {probed->name, wordsOf(probed->result)};
  if (!said.second.empty() && std::find(m_said.begin(), m_said.end(), said) == m_said.end())
    m_said.push_back(said);
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

std::vector<std::string> SampledSource::notes() const {
  if (m_said.empty()) return {};
  const bool same = std::all_of(m_said.begin(), m_said.end(),
                                [&](const auto& each) { return each.second == m_said.front().second; });
  if (same) return {"C" + m_said.front().second.substr(1) + "."};
  std::vector<std::string> notes;
  for (const auto& [run, words] : m_said) notes.push_back(run + ": " + words + ".");
  return notes;
}

}  // namespace fathom
