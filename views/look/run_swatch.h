// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QRectF>

class QPainter;

namespace fathom {

inline constexpr int kSwatchWidth = 20;

// A piece of the run's curve in `area`, in its colour and with its dashes: `number` is that of its look
// (core/base/numbers/series_look.h). All of a period of the longest dashes has room in kSwatchWidth.
void drawSwatch(QPainter& painter, const QRectF& area, int number, const QColor& colour);

}  // namespace fathom
