// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fathom {

// Dynamic loss scale of half-precision training (Micikevicius §3.2; docs/precision.md §2).
struct LossScalerSettings {
  double initialScale = 128;
  double factor = 2;
  std::int64_t window = 256;  // iterations without overflow before the scale grows
  // The scale is lowered from so many overflows since it was last lowered / iterations since it last changed.
  double tolerance = 0;
  double threshold = 0.03125;  // floor of the scale; 0 = none
  double minimumScale = 1e-4;  // training ends when an overflow leaves the scale at or below it
};

// One iteration = one attempted update. A value: copying it is a checkpoint.
class LossScaler {
 public:
  explicit LossScaler(LossScalerSettings settings = {})
      : m_settings(settings), m_scale(settings.initialScale) {}
  double scale() const { return m_scale; }  // multiplies the loss before the backward pass
  enum class Verdict { Step, Skip, Abort };
  // After the backward pass: did the gradient norm overflow? Skip: the update is left out and not counted.
  Verdict finishIteration(bool overflow);

  struct State {
    double scale = 128;
    std::int64_t iteration = 0, lastOverflow = -1, lastRescale = -1, overflowsSinceLowered = 0;
  };
  State state() const { return {m_scale, m_iteration, m_lastOverflow, m_lastRescale, m_overflows}; }
  void restore(const State& state);
  // Skipped iterations in a row: a diverged run skips for ever when the floor keeps it from aborting.
  std::int64_t skippedInARow() const { return m_skippedInARow; }

 private:
  LossScalerSettings m_settings;
  double m_scale;
  std::int64_t m_iteration = 0, m_lastOverflow = -1, m_lastRescale = -1, m_overflows = 0, m_skippedInARow = 0;
};

}  // namespace fathom
