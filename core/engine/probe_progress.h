// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/progress.h"
#include "core/engine/training_line.h"

namespace fathom {

// Progress of a probe or check: for a person on stderr, or as JSON lines {"phase","unit","done","total",
// "remaining"} on stdout for the program that started us.
class ProbeProgress {
 public:
  explicit ProbeProgress(bool lines) : m_lines(lines) {}
  Progress progress{[this](const ProgressUpdate& update) { show(update); }};
  void clear() { m_line.message(""); }

 private:
  void show(const ProgressUpdate& update);
  bool m_lines;
  TrainingLine m_line;
};

}  // namespace fathom
