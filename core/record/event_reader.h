// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"

namespace fathom {

struct Event {
  std::int64_t seq = 0;
  double time = 0;  // seconds since epoch; may step back when the system clock does
  std::string kind;
  Json members;  // the whole line
};

// Follows one events.jsonl that may still grow. Not thread-safe; one per owner.
class EventReader {
 public:
  explicit EventReader(std::string path);
  // Reads what was appended since the last call, at most maxBytes (and the rest of a line it ends in). Bad
  // lines are skipped and counted; an
  // incomplete last line is left for the next call; a newer event version is a data error (nothing after it
  // is read).
  Result<std::vector<Event>> poll(std::size_t maxBytes = 64u << 20);
  std::int64_t badLines() const { return m_badLines; }
  std::int64_t missingEvents() const { return m_missing; }  // gaps in seq
  std::int64_t offset() const { return m_offset; }
  bool tornTail() const { return !m_tail.empty(); }

 private:
  std::string m_path;
  std::string m_tail;
  std::int64_t m_offset = 0;
  std::int64_t m_nextSeq = 0;
  std::int64_t m_badLines = 0;
  std::int64_t m_missing = 0;
  bool m_skipping = false;         // inside a line longer than kMaxEventBytes
  std::optional<Error> m_stopped;  // a newer event version was met
  void takeLine(std::vector<Event>& events);
};

// One scalar series of a run, later attempts superseding the steps they repeat: from the first to the last
// step an attempt has scalars for, every earlier attempt gives way.
struct ScalarSeries {
  std::string metric;        // "loss", "valid.bleu", "lr", ...
  std::vector<double> step;  // updates
  std::vector<double> time;  // seconds since the run's first event (gaps between attempts removed)
  std::vector<double> epoch;
  std::vector<double> tokens;
  std::vector<double> value;  // may hold NaN, ±Inf
};

// Fast reader of all step and validation events of every attempt (no DOM; ~100 MB/s or better). Series in
// order of first appearance; "lr" comes from the step events. Bad lines and a torn tail are passed over; a
// newer event version is a data error. `withSuperseded`: all points, attempt after attempt, steps may go
// back.
Result<std::vector<ScalarSeries>> readRunScalars(const std::string& runPath, bool withSuperseded = false);

}  // namespace fathom
