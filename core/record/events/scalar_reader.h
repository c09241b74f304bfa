// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/errors/result.h"

namespace fathom {

// The one place that reads numbers from an event log: the history of a run (below), its
// summary (scalar_summary.h) and, line by line as they are written, Event::scalars (event_reader.h).

// The clock of an attempt: the sum of forward differences between the times of its events, so that a system
// clock set back stands still instead of going back.
class RunClock {
 public:
  // Seconds since the first event.
  double at(double time) {
    if (m_started && time > m_last) m_elapsed += time - m_last;
    m_started = true;
    m_last = time;
    return m_elapsed;
  }

 private:
  bool m_started = false;
  double m_last = 0, m_elapsed = 0;
};

// Times below this, in seconds since 1970, are those of a source that knows no dates: they count from its
// start.
inline constexpr double kFirstDate = 1e8;

// Does such an event carry points of curves? (A final score does not.)
inline bool carriesPoints(std::string_view kind, double step) {
  return step >= 0 && (kind == "step" || kind == "validation");
}

// All scalars of one event, as they are handed on. Views hold until the next.
struct ScalarRow {
  double step = 0;               // updates
  double seconds = 0;            // since the run's first event, the gaps between attempts removed
  double epoch = 0, tokens = 0;  // NaN where they are unknown, and `seconds`, too
  std::vector<std::pair<std::string_view, double>> values;  // metric and value, NaN and ±Inf too; "lr" is one
  bool validation = false;                                  // by the kind of its event
  double clock = std::numeric_limits<double>::quiet_NaN();  // seconds since 1970; NaN where it is unknown
};

// End of the history, where new points go on.
struct ScalarsEnd {
  int attempt = 0;   // the last one that has points; 0 = none has
  double start = 0;  // of that attempt, in seconds of the run
  double step = -1;  // its last one
  bool operator==(const ScalarsEnd&) const = default;
};

// Every scalar of a run, attempt after attempt, in the order of their lines: whoever needs rising steps sorts
// (sortSeries). A later attempt supersedes the steps it repeats: from the first to the last step it has
// scalars for, every earlier attempt gives way. One line is in memory (no DOM; ~100 MB/s or better); later
// attempts are read twice, and so is every attempt of a run of another program, whose log may say itself what
// gives way (retreats.h). Bad lines and a torn tail are passed over; a newer event version is a data error.
// An error of `take` ends it.
using TakeScalars = std::function<Status(const ScalarRow& row)>;
Result<ScalarsEnd> visitRunScalars(const std::string& runPath, const TakeScalars& take);

// One scalar series of a run; arrays of one length, steps do not fall.
struct ScalarSeries {
  std::string metric;        // "loss", "valid.bleu", "lr", ...
  std::vector<double> step;  // as in ScalarRow
  std::vector<double> time;  // ScalarRow::seconds
  std::vector<double> epoch;
  std::vector<double> tokens;
  std::vector<double> value;
  std::vector<double> clock;  // ScalarRow::clock; empty where nobody knows it
};
// Points in the order of `keys`, one a point (may be one of its columns); stable.
void sortSeries(ScalarSeries& series, const std::vector<double>& keys);

// The series of a run in order of first appearance, or `only` one of them (none where it is not there): 48
// bytes a point.
Result<std::vector<ScalarSeries>> readRunScalars(const std::string& runPath, const std::string& only = {},
                                                 ScalarsEnd* end = nullptr);

// Points that training threw away: of attempts that were resumed from an earlier update, those after it.
struct DroppedScalars {
  std::vector<ScalarSeries> tails;  // one for each attempt and metric that has such points
  // The last update that is not thrown away; what a series has after it is in `tails`, too.
  double end = std::numeric_limits<double>::infinity();
};
// `only` one metric, or all. Costs nothing where there is one attempt, else the log is read.
Result<DroppedScalars> readDroppedScalars(const std::string& runPath, const std::string& only = {});
// Takes the points after `end` out of a series, whose steps do not fall.
void cutAfter(ScalarSeries& series, double end);

}  // namespace fathom
