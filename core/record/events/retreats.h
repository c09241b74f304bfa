// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

// Position of a line in the log of a run: by attempt, then by line.
struct LinePlace {
  std::int64_t attempt = 0, line = 0;
  auto operator<=>(const LinePlace&) const = default;
};

// Events of kind gives_way: for a metric ("" = every one) the values written before such an event give way
// from a step on. Logs of other programs begin again metric by metric, and not only where an attempt does.
class Retreats {
 public:
  void add(const LinePlace& place, const std::string& metric, double from);
  bool empty() const { return m_rules.empty(); }
  // Has this attempt said what gives way? Then nothing else does.
  bool saysAll(std::int64_t attempt) const;
  bool stays(const LinePlace& place, std::string_view metric, double step) const;

 private:
  struct Rule {
    LinePlace place;
    double from;
  };
  std::map<std::string, std::vector<Rule>, std::less<>> m_rules;
  std::vector<std::int64_t> m_attempts;
};

// True if another program trained the run, by its run.json: an import, or the word of a foreign
// writer. Only such logs hold events of that kind.
bool isForeignRun(const RunFolder& run);

}  // namespace fathom
