// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/library/queue/queue_folder.h"
#include "core/record/events/event_reader.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

// Reads one run's events as they come and keeps what a shell shows of them. One thread.
class RunWatch {
 public:
  explicit RunWatch(std::string runPath) : m_folder(std::move(runPath)) {}
  // Reads what is new; false when there was nothing. `say` gets a line for each validation, warning and the
  // like.
  bool poll(const std::function<void(const std::string&)>& say);
  std::int64_t step() const { return m_step; }
  // Progress of the phase in the engine's own words, with its own remaining time: updates while it trains,
  // else what it counts (pieces, lines; total -1 = unknown).
  const ProgressUpdate& progress() const { return m_progress; }
  const RunFolder& folder() const { return m_folder; }

 private:
  void take(const Event& event, const std::function<void(const std::string&)>& say);
  RunFolder m_folder;
  int m_attempt = 0;
  std::unique_ptr<EventReader> m_reader;
  void train();
  std::int64_t m_step = 0, m_total = -1;
  ProgressUpdate m_progress;
  double m_began = 0;  // when the attempt did, seconds since epoch
};

struct WaitResult {
  RunOutcome outcome;
  bool interrupted = false;  // a stop request came first: the run goes on
};
// Waits until a queued run is over for good (restarts included), showing its progress. Starts a runner where
// there is none; an error when runners end without touching the entry, with the last words of their log.
Result<WaitResult> waitForRun(const std::string& project, const QueueEntry& entry, Progress& progress,
                              const std::function<void(const std::string&)>& say, const StopToken& stop);

}  // namespace fathom
