// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/base/lines/line_cutter.h"
#include "core/record/events/scalar_reader.h"

namespace fathom {

struct Event {
  std::int64_t seq = 0;
  double time = 0;     // seconds since epoch; may step back when the system clock does
  double seconds = 0;  // on the clock of the attempt
  std::string kind;
  std::int64_t step = -1;  // updates; -1 = the event has none
  double epoch = 0, tokens = 0;
  std::vector<std::pair<std::string, double>> scalars;  // metric and value; the "lr" of a step is one
  Json members;                                         // the whole line
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

 private:
  std::string m_path;
  LineCutter m_lines;
  std::int64_t m_offset = 0;
  std::int64_t m_nextSeq = 0;
  std::int64_t m_badLines = 0;
  std::int64_t m_missing = 0;
  RunClock m_clock;
  std::optional<Error> m_stopped;  // a newer event version was met
  void takeLine(const LineCutter::Line& line, std::vector<Event>& events);
};

}  // namespace fathom
