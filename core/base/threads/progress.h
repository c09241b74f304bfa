// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace fathom {

// One state of a long job. `total` < 0: unknown.
struct ProgressUpdate {
  std::string phase;  // "reading pairs", "training"
  std::string unit;   // "updates", "lines"
  double done = 0;
  double total = -1;
  double spentSeconds = 0;
  std::optional<double> remainingSeconds;
};

// Hands updates to a sink, throttled here at the source (>= 50 ms apart, phase changes and the end always).
// One owner thread. A default-made Progress drops everything.
class Progress {
 public:
  using Sink = std::function<void(const ProgressUpdate&)>;
  Progress() = default;
  explicit Progress(Sink sink) : m_sink(std::move(sink)) {}
  void begin(std::string phase, std::string unit, double total);
  void report(double done);
  // Passes on a state that somebody else has counted and judged, its remaining time included.
  void relay(const ProgressUpdate& state);
  void finish();
  const ProgressUpdate& state() const { return m_state; }

 private:
  void send();
  using Clock = std::chrono::steady_clock;
  Sink m_sink;
  ProgressUpdate m_state;
  Clock::time_point m_started{};
  Clock::time_point m_lastSent{};
};

// "0:41", "12:05", "3:07:00".
std::string formatDuration(double seconds);

}  // namespace fathom
