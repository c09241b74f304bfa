// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace fathom {

// Debiased exponential moving average (the rule of TensorBoard; docs/statistics.md §3):
//   last = w last + (1-w) y;  n += 1;  out = last / (1 - w^n)
// Non-finite points pass through unchanged and do not enter; w is clamped to [0, 1]; a constant series is
// returned unchanged, bit for bit. w = 1 gives 0 at every finite point of a series that is not constant.
std::vector<double> smoothCurve(std::span<const double> values, double weight);

// The same point by point, for curves that grow. While all points so far are equal they are returned
// unchanged.
class CurveSmoother {
 public:
  explicit CurveSmoother(double weight);
  double next(double value);

 private:
  double m_weight;
  double m_last = 0;
  double m_power = 1;  // w^n
  double m_first = 0;
  bool m_started = false;
  bool m_constant = true;
};

}  // namespace fathom
