// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <iosfwd>
#include <mutex>
#include <string>

#include "core/base/text/rewritten_line.h"
#include "core/base/threads/progress.h"

namespace fathom {

// Progress for people in a shell: one line that redraws itself on a terminal; elsewhere a line when the phase
// changes and then every 10 seconds. `shape`: asked each time, a window may be made narrower; without it
// nothing is cut. Thread-safe.
class TerminalProgress {
 public:
  TerminalProgress(std::ostream& stream, bool terminal, std::function<TerminalShape()> shape = {})
      : m_stream(stream), m_terminal(terminal), m_shape(std::move(shape)) {}
  void show(const ProgressUpdate& update);
  // A line that stays.
  void note(const std::string& line);
  // Removes the redrawn line.
  void clear();

 private:
  void clearLocked();
  TerminalShape shape() const { return m_shape ? m_shape() : TerminalShape(); }
  std::ostream& m_stream;
  bool m_terminal;
  std::function<TerminalShape()> m_shape;
  RewrittenLine m_line;
  std::mutex m_mutex;
  std::string m_phase;
  double m_lastLine = -1e9;
  bool m_drawn = false;
};

// "training  412/800 updates (51 %)  0:12 spent, 0:11 left"
std::string progressLine(const ProgressUpdate& update);

}  // namespace fathom
