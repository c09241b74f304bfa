// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace fathom {

// Names as a sentence of the window lists them: "a, b" and "a、b".
QString nameText(const QStringList& names);

}  // namespace fathom
