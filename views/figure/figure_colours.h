// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>
#include <Qt>
#include <string_view>
#include <vector>

#include "core/base/numbers/series_look.h"

namespace fathom {

// The colours of curves, categories and maps: Okabe-Ito (without yellow, which is too light for thin lines),
// viridis and cividis (16 nodes of the published CC0 tables, interpolated in sRGB), blue-white-red. Pure
// functions.

// Colour of a hue of the palette, 0 ... kSeriesColours - 1, plus kSeriesColours times the shade
// (core/base/numbers/series_look.h). Shades stand out more from the paper than the colour itself.
QColor seriesColour(int index, bool dark);
inline constexpr int kSeriesColours = kSeriesHues;
// Made lighter on dark, or darker on white, until it stands out, 3 : 1.
QColor standingOut(QColor colour, bool dark);
// Colour of the number of a run's look. A person's own is made lighter or darker until it stands out, 3 : 1.
QColor lookColour(int number, bool dark);

// Error categories of Text-to-SQL: "false_negative", "column", "sketch", "both"; invalid colour for other
// words.
QColor categoryColour(const QString& category);

enum class ColourMap { Viridis, Cividis, BlueWhiteRed };
// The map "viridis", "cividis" or "blue_white_red"; viridis for another word.
ColourMap colourMapNamed(std::string_view word);
// t in [0, 1]; values outside are clamped, NaN gives a neutral grey.
QColor mapColour(ColourMap map, double t);

// The same for many cells: 1024 steps from 0 to 1, in colour or as grayscale() shows them. Computed once.
inline constexpr int kMapSteps = 1024;
const std::vector<QRgb>& mapSteps(ColourMap map, bool gray);

// Limits of the colours of values from `low` to `high`; one value only stands in the middle of a small range.
struct ColourLimits {
  double minimum, maximum;
};
ColourLimits colourLimits(double low, double high);

// WCAG relative luminance contrast, 1 ... 21.
double contrastRatio(const QColor& a, const QColor& b);
// The colour in print without colour (for the grayscale preview).
QColor grayscale(const QColor& colour);

}  // namespace fathom
