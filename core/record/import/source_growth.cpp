// SPDX-License-Identifier: Apache-2.0
#include "core/record/import/source_growth.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace fathom {

namespace {

// As one says it: "12 s", "3 min", "2 h".
Phrase plainDuration(double seconds) {
  constexpr double kMinute = 60, kHour = 3600;
  const std::int64_t whole = std::max<std::int64_t>(1, std::llround(seconds));
  if (seconds < 2 * kMinute) return Phrase::tr("%1 s")(whole);
  if (seconds < 2 * kHour) return Phrase::tr("%1 min")(std::llround(seconds / kMinute));
  return Phrase::tr("%1 h")(std::llround(seconds / kHour));
}

}  // namespace

Phrase SourceGrowth::phrase(double now) const {
  if (grew <= 0) return {};
  const Phrase since = plainDuration(now - grew);
  if (every <= 0) return Phrase::tr("last grew %1 ago")(since);
  return Phrase::tr("last grew %1 ago, this source writes every %2")(since, plainDuration(every));
}

}  // namespace fathom
