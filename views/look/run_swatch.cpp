// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/look/run_swatch.h"

#include <QPainter>
#include <QPen>

#include "core/base/numbers/series_look.h"

namespace fathom {

void drawSwatch(QPainter& painter, const QRectF& area, int number, const QColor& colour) {
  constexpr double kThick = 3;
  // Lengths in pixels: shorter than those of the curves, so that a whole period is seen.
  static const QVector<qreal> kPatterns[kSeriesDashes] = {{}, {6, 2}, {2, 2}, {7, 2, 2, 2}};
  QPen pen(colour, kThick);
  pen.setCapStyle(Qt::FlatCap);
  QVector<qreal> pattern = kPatterns[seriesLook(number).dash];
  for (qreal& length : pattern) length /= kThick;
  if (!pattern.isEmpty()) pen.setDashPattern(pattern);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(pen);
  const double y = area.center().y();
  painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
  painter.restore();
}

}  // namespace fathom
