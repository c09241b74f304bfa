// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/errors/result.h"
#include "views/figure/figure_spec.h"
#include "views/figure/figure_style.h"

class QPrinter;

namespace fathom {

// Turns the paper so that the figure is made smaller as little as possible; upright where both ways are the
// same.
void turnPaper(QPrinter& printer, const FigureSize& size);

// Paints the figure on one sheet, in the middle of what the printer can reach and as large as the style says;
// smaller, in proportion, where that does not fit. The result is that factor, 1 where nothing was made
// smaller. An error where the figure cannot be drawn or the printer does not begin. GUI thread.
Result<double> printFigure(const FigureSpec& spec, const FigureStyle& style, QPrinter& printer);

}  // namespace fathom
