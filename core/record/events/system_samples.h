// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/record/events/scalar_reader.h"
#include "core/record/events/system_stream.h"

namespace fathom {

// One value of a run's load over time; both arrays have one length, times do not fall.
struct SystemSeries {
  std::string name;
  std::vector<double> seconds;  // since the first sample, the gaps between attempts removed
  std::vector<double> values;   // finite
};

// What all attempts of a run took of their machines.
struct RunSystem {
  std::vector<SystemSeries> series;  // in order of first appearance
  MachineFacts machine;              // of the last attempt that told
  std::int64_t badLines = 0;
  std::optional<Error> problem;  // the first stream that cannot be read; the others are
  const SystemSeries* find(std::string_view name) const;
};

// The samples of a run that may still grow: its streams, attempt after attempt. A log of another program that
// has no stream may hold values of these names among its points; they are taken as they are then. Not
// thread-safe.
class SystemSamples {
 public:
  explicit SystemSamples(std::string runPath);
  // Takes what was written since the last call; true if anything was, or cannot be read.
  bool poll();
  const RunSystem& samples() const { return m_samples; }

 private:
  Status pollAttempt(int attempt);
  Status takePoints();
  // `time` is the sample's own, in seconds since 1970; NaN where it is not known.
  void take(double seconds, std::string_view name, double value, double time);
  void giveWay(const LoadSpan& span);
  RunFolder m_run;
  int m_attempt = 0;                       // whose stream is read now
  std::unique_ptr<SystemReader> m_reader;  // of it
  RunClock m_clock;                        // of it
  double m_start = 0, m_end = 0;           // of the attempt, and of its last line, in seconds of the run
  std::int64_t m_badBefore = 0;            // in the streams of former attempts
  std::int64_t m_values = 0;
  bool m_pointsRead = false;
  RunSystem m_samples;
  std::vector<std::vector<double>> m_times;                  // of the values of each series
  std::map<std::string, std::size_t, std::less<>> m_places;  // name -> index of its series
};

// Shared by threads that only read it.
using RunSystemPtr = std::shared_ptr<const RunSystem>;

// All of it at once.
RunSystem readRunSystem(const std::string& runPath);

// Most memory that the run's processes were seen to take, in GiB: the greatest peak or sample. `onCard`: of a
// card, of everybody's there where nobody tells processes apart. 0 = not known.
double measuredMemory(const RunSystem& system, bool onCard);

// At most about `most` points of a series, in which neither the least nor the greatest value of a stretch is
// lost.
SystemSeries thinned(const SystemSeries& series, std::size_t most);

}  // namespace fathom
