// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "app/runner/child_process.h"
#include "core/base/errors/error.h"
#include "core/base/errors/phrase.h"
#include "core/base/threads/progress.h"

namespace fathom {

// Unit of the progress of several checkpoints.
inline constexpr const char* kCheckpointUnit = "checkpoints";

// Hands on the progress that an engine started with --progress-lines prints: ChildLimits::watch of runChild.
// `progress` must outlive the child.
class EngineProgress {
 public:
  // `say` takes what an engine tells the person beside it (how long all takes); may be empty.
  explicit EngineProgress(Progress& progress, std::function<void(const Phrase&)> say = {})
      : m_progress(progress), m_say(std::move(say)) {}
  void operator()(const std::string& soFar);

 private:
  void line(const std::string& text);
  Progress& m_progress;
  std::function<void(const Phrase&)> m_say;
  std::size_t m_read = 0;
};

// Several engines, one after the other, as one progress: their checkpoints, with the time that all need.
class CheckpointCount {
 public:
  // `all` must outlive it; `total`: checkpoints of all engines.
  CheckpointCount(Progress& all, const std::string& phase, double total);
  CheckpointCount(const CheckpointCount&) = delete;
  CheckpointCount& operator=(const CheckpointCount&) = delete;
  // For the engine that runs now.
  Progress& engine() { return m_engine; }
  // It is over: so many checkpoints were its.
  void add(double checkpoints);

 private:
  Progress& m_all;
  Progress m_engine;
  double m_before = 0;
};

// The last line of what an engine printed: its answer, behind the progress.
std::string answerLineOf(const std::string& text);

// Why an engine left with an error, in its own words: what it said with --progress-lines, else its last line
// of errors without "error: ".
Error engineError(const ChildOutput& output);

}  // namespace fathom
