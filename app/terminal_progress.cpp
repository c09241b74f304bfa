// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/terminal_progress.h"

#include <cmath>
#include <ostream>

#include "app/text_table.h"

namespace fathom {

std::string progressLine(const ProgressUpdate& update) {
  const auto count = [](double value) { return std::to_string(static_cast<long long>(std::llround(value))); };
  std::string line = update.phase;
  if (update.unit == "%") {
    line += "  " + count(update.done) + " %";
  } else if (update.total > 0) {
    line += "  " + count(update.done) + "/" + count(update.total) + " " + update.unit + " (" +
            count(100.0 * update.done / update.total) + " %)";
  } else if (update.done > 0) {
    line += "  " + count(update.done) + " " + update.unit;
  }
  if (update.spentSeconds >= 0.5) line += "  " + formatDuration(update.spentSeconds) + " spent";
  if (update.remainingSeconds) line += ", " + formatDuration(*update.remainingSeconds) + " left";
  return line;
}

void TerminalProgress::show(const ProgressUpdate& update) {
  const std::lock_guard guard(m_mutex);
  // A phase of less than 400 ms would only flicker.
  if (update.spentSeconds < 0.4 || update.phase.empty()) return;
  if (m_terminal) {
    m_stream << m_line.show(progressLine(update), shape()) << std::flush;
    m_drawn = true;
    return;
  }
  if (update.phase == m_phase && update.spentSeconds - m_lastLine < 10) return;
  m_phase = update.phase;
  m_lastLine = update.spentSeconds;
  m_stream << progressLine(update) << std::endl;
}

void TerminalProgress::note(const std::string& line) {
  const std::lock_guard guard(m_mutex);
  clearLocked();
  m_stream << terminalText(line) << std::endl;
}

void TerminalProgress::clear() {
  const std::lock_guard guard(m_mutex);
  clearLocked();
}

void TerminalProgress::clearLocked() {
  if (m_drawn) m_stream << m_line.clear(shape()) << std::flush;
  m_drawn = false;
}

}  // namespace fathom
