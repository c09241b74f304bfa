// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "views/figure/figure_spec.h"

namespace fathom {

// The figure with its axis labels, panel titles, colour bars and legend entries in the language of the
// window. For the screen only: a figure that is exported stays in English, the language of the papers. Texts
// that are not known (names of runs, parts of models) stay as they are.
FigureSpec inWindowLanguage(FigureSpec spec);
// A note of a figure, where its form is known.
QString figureNote(const QString& note);
// One such text (markup), e.g. "updates" or "layer 3, head 2".
std::string figureText(const std::string& text);

}  // namespace fathom
