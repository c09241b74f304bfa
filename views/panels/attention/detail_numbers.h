// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "views/figure/figure_spec.h"

namespace fathom {

// The numbers of a place of a figure, a row for each run: quartiles and median of its violins and boxes, as
// rich text. Empty where the figure has none of these.
QString detailNumbers(const FigureSpec& detail);

}  // namespace fathom
