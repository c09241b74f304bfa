// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>

#include "core/base/errors/phrase.h"
#include "core/base/threads/progress.h"
#include "core/engine/training_line.h"

namespace fathom {

// Progress of a probe or check: for a person on stderr, or as JSON lines {"phase","unit","done","total",
// "remaining"} on stdout for the program that started us.
class ProbeProgress {
 public:
  explicit ProbeProgress(bool lines) : m_lines(lines) {}
  Progress progress{[this](const ProgressUpdate& update) { show(update); }};
  // Before the i-th of several checkpoints: from here on what is shown is how many of them are done, 1.5 of
  // 4, and the time that all need. No effect with one.
  void beginPart(std::size_t index, std::size_t count);
  // Shows a note that a person needs before it goes on: a line of its own, or {"note"}, with "note_phrase",
  // on stdout. Once: of several checkpoints the first that is computed says it for all.
  void note(const Phrase& words);
  void clear() { m_line.message(""); }

 private:
  ProgressUpdate ofAll(const ProgressUpdate& update);
  void show(const ProgressUpdate& part);
  bool m_lines, m_noted = false;
  std::size_t m_part = 0, m_parts = 1;
  double m_done = 0;                                // parts, of all
  std::chrono::steady_clock::time_point m_begun{};  // of the first part
  TrainingLine m_line;
};

}  // namespace fathom
