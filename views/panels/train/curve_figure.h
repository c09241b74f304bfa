// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/figure/axis_scale.h"
#include "views/figure/figure_layout.h"
#include "views/figure/figure_spec.h"
#include "views/panels/train/curve_set.h"

namespace fathom {

// Look of the curves. Ranges are in units of the axes (AxisMap), x shared by all panels.
struct CurveLook {
  QStringList metrics;  // the first one large, the others small below it
  CurveAxis axis = CurveAxis::Step;
  QString axisMetric;  // of CurveAxis::Metric
  AxisScale scaleX = AxisScale::Linear, scaleY = AxisScale::Linear;
  QString current;       // run that is emphasised
  QStringList selected;  // runs beside which the others are dim; empty: none is
  // Metrics that are drawn in the panel of another one, by that.
  std::map<QString, QStringList> joined;
  bool clip = false;  // values far from all others do not stretch a panel; a mark says where they are
  std::optional<AxisRange> rangeX;       // empty: everything
  std::map<QString, AxisRange> rangesY;  // metrics whose range was chosen by hand
  int columns = 1200;                    // samples along x
  int across = 6;                        // small panels that have room beside each other
  double mainShare = 0;                  // the large panel's part of the height; 0 = by the rows
  // All that the panel of a metric shows.
  QStringList panelMetrics(const QString& metric) const {
    const auto others = joined.find(metric);
    return others == joined.end() ? QStringList(metric) : QStringList(metric) + others->second;
  }
};
// Name of an axis in the language of the window, as kCurveAxes has it: "updates".
QString curveAxisName(CurveAxis axis);
// Rows that so many small panels need.
int smallRows(int small, int across);
// Least number in a row with which so many have a place in one figure (kMostFigureTracks).
int leastAcross(int small);

// A series reduced to the columns of the screen: smallest and largest value of each, every point where there
// are few. Non-finite points break the line; `bad` tells where they are. x in units of `divisor`.
struct CurveSample {
  std::vector<double> x, y, bad;
};
CurveSample sampleCurve(const std::vector<double>& x, const CurvePyramid& y, const AxisMap& map,
                        const AxisRange& range, int columns, double divisor);

// The range of x over all shown lines, and the unit of the axis.
struct CurveExtent {
  AxisRange x;
  double divisor = 1;
  Phrase label;
};
CurveExtent curveExtent(CurveSet& set, const CurveLook& look);

// The visible part of the curves as a figure, and the range of every panel. Small: at most four points per
// column and line, whatever the length of the series.
struct CurveFigure {
  FigureSpec spec;
  std::vector<PanelRanges> ranges;
  int nonFinite = 0;    // in the visible part of the first metric
  int clipped = 0;      // places in all panels at which a curve leaves the shown values
  double farthest = 0;  // of the clipped values the one that is farthest from 0
};
CurveFigure curveFigure(CurveSet& set, const CurveLook& look);
// True if the large panel has values, and a logarithmic axis has a place for none of them.
bool nothingAboveZero(CurveSet& set, const CurveLook& look);

// Values of the line at the position `at` (not divided) in the parts that were thrown away.
std::vector<double> droppedValues(const CurveLine& line, CurveAxis axis, double at);

// The runs whose curve of `metric` passes through a region (units of the axes), in the order of the curves; a
// mean gives the runs it is made of.
QStringList runsThrough(CurveSet& set, const CurveLook& look, const QString& metric,
                        const PanelRanges& region);

}  // namespace fathom
