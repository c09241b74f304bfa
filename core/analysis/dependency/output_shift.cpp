// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/dependency/output_shift.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string_view>

#include "core/analysis/analysis_entry.h"

namespace fathom {

namespace {

struct TokenSpread {
  double mean = 0, unbiased = 0, biased = 0;  // standard deviations over the channels
};
TokenSpread spreadOf(std::span<const double> x) {
  TokenSpread spread;
  const auto n = static_cast<double>(x.size());
  for (const double v : x) spread.mean += v / n;
  double squares = 0;
  for (const double v : x) squares += (v - spread.mean) * (v - spread.mean);
  spread.biased = std::sqrt(squares / n);
  spread.unbiased = x.size() > 1 ? std::sqrt(squares / (n - 1)) : 0;
  return spread;
}

// True if an option that version 2 did not know makes the first layers of a deeper net others.
bool looksAtDepth(const std::string& assignments) {
  constexpr std::string_view kOptions[] = {
      "residual.admin.omega=output_log", "residual.admin.omega=output_constant",
      "init.bert.scale_outputs=true",    "init.bert.scale_outputs=on",
      "init.bert.scale_outputs=yes",     "init.bert.scale_outputs=1"};
  return std::any_of(std::begin(kOptions), std::end(kOptions),
                     [&](std::string_view option) { return assignments.find(option) != std::string::npos; });
}

// True for version 2, unless nets of several depths may have shared layers that are not the same.
bool outputShiftHolds(int version, const Json& options, const Json& runOptions) {
  if (version < 2) return false;
  if (options.value("path", "auto") != "auto") return true;
  std::string assignments;
  for (const Json& variant : options.value("variants", Json::array())) assignments += variant.dump() + "\n";
  for (const auto& option : runOptions.items())
    assignments += option.key() + "=" + optionValueText({}, option.value()) + "\n";
  return !looksAtDepth(assignments);
}

ShiftFit leastSquares(std::span<const double> x, std::span<const double> y) {
  ShiftFit fit;
  const auto n = static_cast<double>(x.size());
  double meanX = 0, meanY = 0;
  for (std::size_t i = 0; i < x.size(); ++i) meanX += x[i] / n, meanY += y[i] / n;
  double xx = 0, xy = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - meanX) * (x[i] - meanX);
    xy += (x[i] - meanX) * (y[i] - meanY);
    yy += (y[i] - meanY) * (y[i] - meanY);
  }
  fit.slope = xx > 0 ? xy / xx : std::numeric_limits<double>::quiet_NaN();
  fit.intercept = meanY - fit.slope * meanX;
  if (xx > 0 && yy > 0) fit.r2 = xy * xy / (xx * yy);
  return fit;
}

void addTo(OutputShift::Sums& sums, double value, bool real) {
  sums.all += value;
  if (real) sums.real += value;
}

}  // namespace

Result<OutputShift> measureOutputShift(std::span<const double> before, std::span<const double> after,
                                       std::int64_t width, std::span<const std::uint8_t> realToken) {
  if (width <= 0 || before.size() != after.size() || before.size() % static_cast<std::size_t>(width) != 0) {
    return dataError(Phrase::tr("the two passes of an output shift have different sizes"));
  }
  const std::size_t tokens = before.size() / static_cast<std::size_t>(width);
  if (!realToken.empty() && realToken.size() != tokens)
    return dataError(Phrase::tr("the token mask has another length than the tokens"));
  OutputShift shift;
  double realTokens = 0;
  for (std::size_t t = 0; t < tokens; ++t) {
    const auto a = before.subspan(t * static_cast<std::size_t>(width), static_cast<std::size_t>(width));
    const auto b = after.subspan(t * static_cast<std::size_t>(width), static_cast<std::size_t>(width));
    const TokenSpread sa = spreadOf(a), sb = spreadOf(b);
    double raw = 0, normalised = 0, theorem2 = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      const double plain = a[k] - b[k];
      const double scaled = a[k] / sa.unbiased - b[k] / sb.unbiased;
      const double centred = (a[k] - sa.mean) / sa.biased - (b[k] - sb.mean) / sb.biased;
      raw += plain * plain, normalised += scaled * scaled, theorem2 += centred * centred;
    }
    const bool real = realToken.empty() || realToken[t] != 0;
    realTokens += real ? 1 : 0;
    addTo(shift.raw, raw, real);
    addTo(shift.normalised, normalised, real);
    addTo(shift.theorem2, theorem2, real);
  }
  if (realTokens == 0) return dataError(Phrase::tr("every token is padding: there is nothing to measure"));
  for (OutputShift::Sums* sums : {&shift.raw, &shift.normalised, &shift.theorem2})
    sums->perToken = sums->real / realTokens;
  return shift;
}

ShiftFit fitAgainstDepth(std::span<const double> depth, std::span<const double> shift) {
  return leastSquares(depth, shift);
}

ShiftFit fitAgainstLogDepth(std::span<const double> depth, std::span<const double> shift) {
  std::vector<double> logs;
  for (const double n : depth) logs.push_back(std::log(n));
  return leastSquares(logs, shift);
}

AnalysisEntry outputShiftEntry() {
  return {.id = "output_shift",
          .title = "Output shift against depth",
          .reference = "Admin, Figure 4",
          .version = 3,  // no shared prefixes where an option looks at the depth
          .holds = outputShiftHolds};
}

}  // namespace fathom
