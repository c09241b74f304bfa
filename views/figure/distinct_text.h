// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <functional>
#include <vector>

#include "views/figure/figure_text.h"

namespace fathom {

// Texts that a reader sees side by side (titles of panels, entries of a legend, names along an axis), each
// cut in its middle to its width where it is longer (names differ at their ends). Texts that differ and
// would read the same after that ("decode…ion" twice) leave out what they share instead ("…self…",
// "…cross…"); in the end a number tells them apart. `widths`: one for each text, or one for all. Only where
// not even the number has room two stay alike: figureChecks says so.
std::vector<TextLine> linesApart(const std::vector<QString>& markups, const TextFont& font,
                                 const std::vector<double>& widths);
// The same for plain names of at most `letters` characters, or for those that `fits` takes.
QStringList namesApart(const QStringList& names, qsizetype letters);
QStringList namesApart(const QStringList& names, const std::function<bool(const QString& text)>& fits);
// A markup text in at most `most` lines, broken between its words or else between the parts of one (a.b_c):
// as few as can be, the first ones as long as possible; nothing where they do not fit into `width`.
std::vector<TextLine> fewLines(const QString& markup, const TextFont& font, double width, int most = 2);
// The text in one line or, where it is too long for one, in two between its words (QChar::LineSeparator);
// null where two are not enough.
QString inTwoLines(const QString& text, const std::function<bool(const QString& line)>& fits);

}  // namespace fathom
