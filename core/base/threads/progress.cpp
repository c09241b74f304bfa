// SPDX-License-Identifier: Apache-2.0
#include "core/base/threads/progress.h"

#include <cmath>
#include <cstdio>

namespace fathom {

void Progress::begin(std::string phase, std::string unit, double total) {
  m_started = Clock::now();
  m_lastSent = {};
  m_state = {std::move(phase), std::move(unit), 0, total, 0, std::nullopt};
  send();
}

void Progress::report(double done) {
  if (!m_sink) return;
  m_state.done = done;
  const auto now = Clock::now();
  if (now - m_lastSent < std::chrono::milliseconds(50)) return;
  m_state.spentSeconds = std::chrono::duration<double>(now - m_started).count();
  if (m_state.total > 0 && done > 0) {
    m_state.remainingSeconds = m_state.spentSeconds * (m_state.total - done) / done;
  }
  send();
}

void Progress::relay(const ProgressUpdate& state) {
  const bool same = state.phase == m_state.phase && state.unit == m_state.unit;
  m_state = state;
  if (!same || Clock::now() - m_lastSent >= std::chrono::milliseconds(50)) send();
}

void Progress::finish() {
  if (m_state.total >= 0) m_state.done = m_state.total;
  m_state.spentSeconds = std::chrono::duration<double>(Clock::now() - m_started).count();
  m_state.remainingSeconds = 0;
  send();
}

void Progress::send() {
  if (!m_sink) return;
  m_lastSent = Clock::now();
  m_sink(m_state);
}

std::string formatDuration(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "?";
  const long long whole = std::llround(seconds);
  char text[48];
  if (whole >= 3600) {
    std::snprintf(text, sizeof text, "%lld:%02lld:%02lld", whole / 3600, whole / 60 % 60, whole % 60);
  } else {
    std::snprintf(text, sizeof text, "%lld:%02lld", whole / 60, whole % 60);
  }
  return text;
}

}  // namespace fathom
