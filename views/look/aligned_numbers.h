// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace fathom {

// Numbers that stand below each other at the right edge of a column, with blanks as wide as a digit
// (U+2007) and as a point (U+2008) behind those of fewer decimals, so that their decimal points do, too. What
// begins with no digit (a dash) stands where a last digit before the point would. A remark in brackets at the
// end, as "(1,200)", is filled on its left. An empty text stays empty.
QStringList alignedNumbers(QStringList texts);

}  // namespace fathom
