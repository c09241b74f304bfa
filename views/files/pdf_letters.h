// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QStringList>
#include <vector>

#include "views/figure/figure_text.h"

namespace fathom {

// Text taken out of the PDF is the text that was drawn. Fonts have one glyph for several characters, and Qt's
// writer names the first of them (the radical U+2F42 for the ideograph U+6587). Where it is none of those
// drawn, the map from glyphs to characters gets the drawn one, in place: no byte more or less.
void nameDrawnLetters(QByteArray& pdf, const std::vector<PlacedText>& drawn, const QStringList& families);

}  // namespace fathom
