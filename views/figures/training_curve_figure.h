// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/training/training_curve.h"
#include "views/figure/figure_spec.h"

namespace fathom {

struct TrainingCurveLook {
  AxisScale scaleX = AxisScale::Linear;
  AxisScale scaleY = AxisScale::Linear;
  std::optional<double> minimumY, maximumY;
  bool clipOutliers = false;  // values far from all others do not stretch the axis; a mark says where
};

// "validation BLEU", "training loss (nats per token)": what an axis calls a metric (markup).
Phrase metricLabel(const Metric& metric);
// Name in the legend, and opacity, of the points that a resumed run threw away.
Phrase droppedTailLabel();
inline constexpr double kDroppedOpacity = 0.35;
// Legend entry of the bands of groups.
FigureMark curveBandEntry(CurveBand band);
// Title and divisor of an axis: updates, epochs, a metric, or time in the unit that suits its length. An axis
// of dates says the day on which it begins.
struct AxisUnit {
  Phrase label;
  double divisor = 1;
};
AxisUnit axisUnit(CurveAxis axis, double smallest, double largest, const Metric& metric = {});

// One line per curve, the raw values pale behind a smoothed one, a band around the mean of several seeds, a
// cross where a run diverged. Marks select their run.
FigureSpec trainingCurveFigure(const TrainingCurveResult& result, const TrainingCurveLook& look = {});

}  // namespace fathom
