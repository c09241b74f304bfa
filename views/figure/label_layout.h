// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <vector>

#include "views/figure/figure_layout.h"

namespace fathom {

// Text cut in its middle to `room`, in the colour of the style's texts.
PlacedText cutText(const QString& markup, const TextFont& font, double room, const QColor& colour);
// The label of an axis without a place yet, in one line where that has room, else the title in one and the
// unit in another, else in up to three between its words. Last of all it goes without its unit, which is told
// as cut: words without their middle say less.
std::vector<PlacedText> labelLines(const Phrase& label, const FigureStyle& style, double room,
                                   TextRole role = TextRole::Other);
// In one line: whole where that has room, else without its unit, else cut.
PlacedText withoutUnit(const Phrase& label, const FigureStyle& style, double room);
// Depth of labels across their direction, with the gap to the numbers; 0 without a label.
double labelDepth(const Phrase& label, const FigureStyle& style, double room);
// From the baseline of one line to the next.
double labelStep(const FigureStyle& style);
// Puts upright lines beside each other, the first at x as its baseline, in the middle of `middle` where they
// stay between `top` and `bottom` there.
void placeUpright(std::vector<PlacedText> lines, const FigureStyle& style, double x, double middle,
                  double top, double bottom, std::vector<PlacedText>& texts);
// Room of the label beside the numbers of y, from top to bottom: from the title to below the plot.
std::pair<double, double> uprightRoom(const QRectF& slot, const QRectF& area, double tickBottom,
                                      const FigureStyle& style);

}  // namespace fathom
