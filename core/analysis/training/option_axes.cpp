// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/training/option_axes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/analysis/training/run_comparison.h"
#include "core/base/errors/error_key.h"
#include "core/base/errors/name_list.h"
#include "core/base/numbers/correlation.h"

namespace fathom {

namespace {

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();
constexpr double kDecades = 100;  // from here on numbers are told apart by their logarithms

bool comesBefore(const Json& a, const Json& b) {
  if (a.is_number() != b.is_number()) return a.is_number();
  if (a.is_number()) return a.get<double>() < b.get<double>();
  return comparedValueText(a) < comparedValueText(b);
}

void measure(OptionAxis& axis) {
  bool any = false;
  for (const double position : axis.positions) {
    if (!std::isfinite(position)) continue;
    axis.low = any ? std::min(axis.low, position) : position;
    axis.high = any ? std::max(axis.high, position) : position;
    any = true;
  }
  axis.logarithmic = axis.numeric && axis.low > 0 && axis.high >= kDecades * axis.low;
}

}  // namespace

double OptionAxis::share(std::size_t run) const {
  const double position = positions[run];
  if (!std::isfinite(position)) return kAbsent;
  if (!(high > low)) return 0.5;
  if (logarithmic) return std::log(position / low) / std::log(high / low);
  return (position - low) / (high - low);
}

Result<OptionAxis> optionAxis(const std::vector<RunFacts>& runs, const std::string& key) {
  OptionAxis axis;
  axis.key = key;
  axis.numeric = true;
  std::vector<Json> values;
  for (const RunFacts& run : runs) {
    if (!run.options.contains(key)) continue;
    const Json& value = run.options[key];
    axis.numeric = axis.numeric && value.is_number();
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  if (values.empty())
    return aboutKey(key, dataError(Phrase::tr("no run has the option '%1'")(key),
                                   Phrase::tr("they differ in %1")(nameList(differingKeys(runs)))));
  std::sort(values.begin(), values.end(), comesBefore);
  if (!axis.numeric)
    for (const Json& value : values) axis.words.push_back(comparedValueText(value));
  for (const RunFacts& run : runs) {
    if (!run.options.contains(key)) {
      axis.positions.push_back(kAbsent);
      continue;
    }
    const Json& value = run.options[key];
    const auto place = std::find(values.begin(), values.end(), value) - values.begin();
    axis.positions.push_back(axis.numeric ? value.get<double>() : static_cast<double>(place));
  }
  measure(axis);
  return axis;
}

Result<ReachedScores> reachedScores(const std::vector<RunFacts>& runs, const std::string& metric, bool best) {
  const bool kept = best && std::any_of(runs.begin(), runs.end(),
                                        [&metric](const RunFacts& run) { return run.best.contains(metric); });
  ReachedScores scores{metric, kept, {}, 0, 0};
  for (const RunFacts& run : runs) {
    const auto& values = kept ? run.best : run.last;
    const auto found = values.find(metric);
    const bool ended = !run.failed && !run.open;
    const bool counts = ended && found != values.end() && std::isfinite(found->second);
    scores.values.push_back(counts ? found->second : kAbsent);
    scores.missing += counts ? 0 : 1;
    scores.withoutBest += kept && ended && found == values.end() && run.last.contains(metric) ? 1 : 0;
  }
  if (scores.missing < static_cast<int>(runs.size())) return scores;
  return dataError(Phrase::tr("no run has ended with a value of '%1'")(metric),
                   Phrase::tr("choose another metric or other runs"));
}

std::optional<double> rankCorrelation(const OptionAxis& axis, const ReachedScores& scores) {
  constexpr std::size_t kLeast = 3;
  std::vector<double> options, reached;
  for (std::size_t i = 0; axis.numeric && i < axis.positions.size(); ++i) {
    if (!std::isfinite(axis.positions[i]) || !std::isfinite(scores.values[i])) continue;
    options.push_back(axis.positions[i]);
    reached.push_back(scores.values[i]);
  }
  return options.size() < kLeast ? std::nullopt : spearman(options, reached);
}

std::vector<std::string> differingKeys(const std::vector<RunFacts>& runs) {
  std::vector<const Json*> options;
  for (const RunFacts& run : runs) options.push_back(&run.options);
  std::vector<std::string> keys;
  for (const ComparedOption& option : differingOptions(options))
    if (option.deciding) keys.push_back(option.key);
  return keys;
}

}  // namespace fathom
