// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "views/figure/axis_scale.h"
#include "views/figure/figure_spec.h"

namespace fathom {

// The range in which several curves are read when values far from all others are left out: spikes of single
// updates, a run that explodes. The middle curve says what is far: ten times the width in which nine tenths
// of its values lie. What is farther than that from the middle value of every curve is an outlier, so that a
// curve that lies elsewhere altogether is none. GUI-free and pure; not thread-safe.
class OutlierRange {
 public:
  // The values of one curve in units of the axis, in any order; what is not finite is passed over.
  void add(std::vector<double> units);
  // The smallest and the largest value that is no outlier; all of them where there is none.
  AxisRange kept() const;
  // True if any value lies outside of kept().
  bool any() const;

 private:
  std::vector<std::vector<double>> m_curves;  // sorted
};

inline constexpr double kOutlierMargin = 0.05;  // of the range, around what is kept

// A point at the edge of `range` wherever a line leaves it, at most 50. `farthest`: replaced by a value that
// is farther from 0 and outside.
PointsMark outlierPlaces(const LineMark& line, const AxisMap& map, const AxisRange& range, double& farthest);
// The same as a mark: a triangle in the look of the line.
FigureMark outlierMark(const FigureMark& line, PointsMark places);

}  // namespace fathom
