// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fathom {

inline constexpr std::string_view kGivesWayKind = "gives_way";

// One line of an event log, as the fast readers take it; time, epoch and tokens are NaN where whoever
// wrote it did not know them (an import). Views point into the line, or into `decoded`: names that are
// written with escapes ("acc/\\u00fc") are what they stand for.
struct ScalarLine {
  double version = 0, time = 0, step = -1, epoch = 0, tokens = 0, rate = 0;
  bool hasTime = false, hasRate = false;
  std::string_view kind;
  std::vector<std::pair<std::string_view, double>> metrics;  // members of "m"
  std::list<std::string> decoded;                            // its strings stay where they are
};

// Reads a checked line (checkedEventBody) without building a document; `out` is reused from line to line,
// whose views end then. Blanks between the parts of a line are nothing, as in any JSON. False when the line
// is not an event, or has points whose step is no number from 0 to 2^53.
bool scanEventLine(std::string_view body, ScalarLine& out);

}  // namespace fathom
