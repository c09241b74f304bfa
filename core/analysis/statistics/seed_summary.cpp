// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/statistics/seed_summary.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <map>
#include <sstream>
#include <vector>

#include "core/base/numbers/not_a_number.h"
#include "core/base/options/field_builder.h"
#include "core/base/text/text_list.h"

namespace fathom {

namespace {

// Two-sided 95 % quantile of Student's t; the few values in use are computed once per thread.
double tQuantile(int freedom) {
  thread_local std::map<int, double> known;
  const auto found = known.find(freedom);
  if (found != known.end()) return found->second;
  const double value = boost::math::quantile(boost::math::students_t_distribution<double>(freedom), 0.975);
  known.emplace(freedom, value);
  return value;
}

std::vector<std::string> wordsOf(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

bool isSeparator(const std::string& word) {
  return word == "·" || word == "-" || word == "," || word == "/";
}

}  // namespace

std::string seedGroupName(std::span<const std::string> names) {
  if (names.empty()) return {};
  std::vector<std::vector<std::string>> all;
  for (const std::string& name : names) all.push_back(wordsOf(name));
  std::size_t count = all.front().size();
  for (const auto& words : all) count = std::min(count, words.size());
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string& word = all.front()[i];
    const bool common =
        std::all_of(all.begin(), all.end(), [&](const auto& words) { return words[i] == word; });
    if (common && isSeparator(word) && (kept.empty() || isSeparator(kept.back()))) continue;
    if (common) kept.push_back(word);
    if (!common && !kept.empty() && kept.back() == "seed") kept.pop_back();
  }
  while (!kept.empty() && isSeparator(kept.back())) kept.pop_back();
  if (!kept.empty()) return joined(kept, " ");
  // "seed 1", "seed 2": everything else they share was left out before.
  const bool seeds = std::all_of(
      all.begin(), all.end(), [](const auto& words) { return words.size() == 2 && words.front() == "seed"; });
  return seeds && all.size() > 1 ? "seeds" : names.front();
}

SeedSummary summariseSeeds(std::span<const double> values) {
  SeedSummary summary;
  summary.runs = static_cast<int>(values.size());
  summary.mean = summary.deviation = summary.standardError = summary.halfWidth95 = kNaN;
  summary.minimum = summary.maximum = kNaN;
  double sum = 0;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    summary.minimum = summary.finished == 0 ? value : std::min(summary.minimum, value);
    summary.maximum = summary.finished == 0 ? value : std::max(summary.maximum, value);
    ++summary.finished;
    sum += value;
  }
  if (summary.finished == 0) return summary;
  summary.mean = sum / summary.finished;
  if (summary.finished == 1) return summary;
  double squares = 0;
  for (const double value : values)
    if (std::isfinite(value)) squares += (value - summary.mean) * (value - summary.mean);
  summary.deviation = std::sqrt(squares / (summary.finished - 1));
  summary.standardError = summary.deviation / std::sqrt(summary.finished);
  summary.halfWidth95 = tQuantile(summary.finished - 1) * summary.standardError;
  return summary;
}

OptionField groupSeedsField() {
  return flagField("group_seeds", Phrase::tr("Group seeds").english,
                   Phrase::tr("Runs that differ only in the seed become one line, their mean.").english);
}

}  // namespace fathom
