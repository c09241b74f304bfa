// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/look/qt_names.h"

namespace fathom {

// Rank of a heading: over a page that takes the place of others, or over a part of one.
enum class HeadingRank { Page, Panel };

// Gives a label size and weight of its rank, also after the texts of the window were made larger or smaller:
// a page's is 1.3 times the body, both are semibold. Whoever reads the screen hears the rank, too: it is the
// label's property "headingRank" (1 or 2).
void setHeadingRank(QWidget* label, HeadingRank rank);

}  // namespace fathom
