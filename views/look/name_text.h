// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace fathom {

// Names as a sentence of the window lists them: "a, b" and "a、b".
QString nameText(const QStringList& names);
// A size as the window shows it, in units of a thousand: "1.2 MB".
QString sizeText(quint64 bytes);

}  // namespace fathom
