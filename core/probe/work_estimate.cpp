// SPDX-License-Identifier: Apache-2.0
#include "core/probe/work_estimate.h"

#include <algorithm>
#include <cmath>

namespace fathom {

namespace {

constexpr double kWorthSaying = 30;  // seconds
constexpr double kMinute = 60, kHour = 3600;

// Rounded as far as one piece can say it: seconds by fives, whole minutes, tenths of hours.
Phrase roughTime(double seconds) {
  if (seconds < 2 * kMinute) return Phrase::tr("%1 s")(std::max(5LL, 5 * std::llround(seconds / 5)));
  if (seconds < 2 * kHour) return Phrase::tr("%1 min")(std::llround(seconds / kMinute));
  const long long tenths = std::llround(10 * seconds / kHour);
  const std::string hours = std::to_string(tenths / 10);
  return Phrase::tr("%1 h")(tenths % 10 == 0 ? hours : hours + "." + std::to_string(tenths % 10));
}

}  // namespace

Phrase workEstimate(const ProbeWork& work, double pieceSeconds) {
  const double all = pieceSeconds * work.pieces * static_cast<double>(work.states);
  if (!(all >= kWorthSaying)) return {};
  const Phrase what =
      work.states > 1 ? Phrase::tr("%1 at each of %2 checkpoints")(work.what, work.states) : work.what;
  if (work.fewer >= work.asked) return Phrase::tr("about %1 for %2")(roughTime(all), what);
  const double less = all * static_cast<double>(work.fewer) / static_cast<double>(work.asked);
  return Phrase::tr("about %1 for %2; with the option %3 about %4")(
      roughTime(all), what, work.option + "=" + std::to_string(work.fewer), roughTime(less));
}

std::int64_t roundTenth(std::int64_t count) {
  std::int64_t digit = 1;
  while (count / (10 * digit) >= 10) digit *= 10;
  return std::max<std::int64_t>(1, count / (10 * digit) * digit);
}

}  // namespace fathom
