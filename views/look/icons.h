// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QString>

namespace fathom {

// One-colour icon :/icons/<name>.svg in the text colour of the application's palette at the time of painting,
// so it follows light and dark without being made anew. Nothing is read before the first paint. The window
// draws all its icons from this one set: looking them up in an icon theme would cost more than the rest of
// the start.
QIcon icon(const QString& name);
// The same drawn once in a given colour, for tables. `size` in logical pixels, sharp at `ratio`.
QPixmap iconPixmap(const QString& name, const QColor& colour, int size, qreal ratio);

}  // namespace fathom
