// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "core/base/options/metric.h"
#include "core/base/text/rewritten_line.h"
#include "core/train/loop/run_recorder.h"

namespace fathom {

// Display of a run on stderr for a shell: on a terminal one line that is rewritten (update, loss, rate,
// remaining time), otherwise such a line every 10 s; messages as lines of their own.
class TrainingLine final : public RunWatcher {
 public:
  TrainingLine();
  ~TrainingLine() override;
  void metrics(const Metrics& metrics) override;
  void progress(const ProgressUpdate& update) override;
  void step(const StepReport& report) override;
  void message(const std::string& text) override;
  // The line as it is shown now, without an end of line.
  std::string text() const;

 private:
  void show();
  void clear();
  bool m_terminal;
  bool m_shown = false;
  RewrittenLine m_line;
  ProgressUpdate m_progress;
  StepReport m_step;
  std::string m_rateTitle;  // "tokens/s", "examples/s": as the task counts
  double m_rate = 0;        // smoothed
  std::chrono::steady_clock::time_point m_last{};
};

}  // namespace fathom
