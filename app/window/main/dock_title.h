// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/look/qt_names.h"

namespace fathom {

// The title of a dock instead of the style's own: its button has a name, "Close Details". What it does not
// take of the mouse moves the dock, which owns it.
QWidget* dockTitle(QDockWidget* dock, const QString& title);
// Hands the keyboard to the first part in there that takes it; null: to nobody.
void focusFirst(const QWidget* in);

}  // namespace fathom
