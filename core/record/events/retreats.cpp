// SPDX-License-Identifier: Apache-2.0
#include "core/record/events/retreats.h"

#include <algorithm>

#include "core/base/json/json_members.h"

namespace fathom {

void Retreats::add(const LinePlace& place, const std::string& metric, double from) {
  m_rules[metric].push_back({place, from});
  if (m_attempts.empty() || m_attempts.back() != place.attempt) m_attempts.push_back(place.attempt);
}

bool Retreats::saysAll(std::int64_t attempt) const {
  return std::find(m_attempts.begin(), m_attempts.end(), attempt) != m_attempts.end();
}

bool Retreats::stays(const LinePlace& place, std::string_view metric, double step) const {
  for (const std::string_view name : {metric, std::string_view()}) {
    const auto found = m_rules.find(name);
    if (found == m_rules.end()) continue;
    // Rules stand in the order of the log: only those behind the line can tell of it.
    const auto behind =
        std::upper_bound(found->second.begin(), found->second.end(), place,
                         [](const LinePlace& at, const Rule& rule) { return at < rule.place; });
    if (std::any_of(behind, found->second.end(), [&](const Rule& rule) { return step >= rule.from; }))
      return false;
  }
  return true;
}

bool isForeignRun(const RunFolder& run) {
  const auto identity = run.identity();
  if (!identity.ok()) return false;
  return !memberText(identity->provenance, "imported_from").empty() ||
         !memberText(memberObject(identity->provenance, "writer"), "program").empty();
}

}  // namespace fathom
