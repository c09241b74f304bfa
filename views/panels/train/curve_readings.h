// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QRectF>
#include <QString>
#include <vector>

#include "views/figure/figure_style.h"
#include "views/look/theme.h"
#include "views/panels/train/curve_figure.h"

class QPainter;

namespace fathom {

// What one curve has at the pointer. A long name is cut, a value never.
struct CurveReading {
  QString name, value;
  QColor colour;
  double number = 0;
};
// All of them, the largest value first as the curves lie above each other; what is no number comes last.
struct CurveReadings {
  QString title;  // the update and the epoch
  std::vector<CurveReading> lines;
  std::size_t nearest = 0;  // the one that the pointer is nearest to
};

// Exact values of every curve of a panel at the recorded point nearest to `at` (not divided). `metrics`: of
// the panel; `pointer`: the value at which the pointer is, not a number where it is not known.
CurveReadings readCurves(CurveSet& set, const CurveLook& look, const QStringList& metrics, double at,
                         double pointer, const Theme& theme);
// Draws them beside the position x of a panel's area: as many as there is room for, those around the nearest
// one, and how many are not there.
void drawReadings(QPainter& painter, const CurveReadings& readings, const FigureStyle& style,
                  const QRectF& area, double x);

}  // namespace fathom
