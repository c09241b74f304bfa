// SPDX-License-Identifier: Apache-2.0
#include "core/record/events/run_ranks.h"

#include <algorithm>

#include "core/base/json/json_members.h"
#include "core/record/events/event_reader.h"

namespace fathom {

std::int64_t ranksOfRun(const RunFolder& run) {
  constexpr std::size_t kHead = 16384;  // bytes, in which an attempt begins
  std::int64_t most = 1;
  for (const int attempt : run.attempts()) {
    const auto events = EventReader(run.eventsPath(attempt)).poll(kHead);
    if (!events.ok()) continue;
    for (const Event& event : *events)
      if (event.kind == "run_started") most = std::max(most, memberInteger(event.members, "ranks", 1));
  }
  return most;
}

}  // namespace fathom
