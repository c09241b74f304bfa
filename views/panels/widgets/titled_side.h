// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/look/qt_names.h"

namespace fathom {

// Adds a side to a splitter: a line that says what it is, and the widget below. The splitter owns both.
void addTitledSide(QSplitter* splitter, QWidget* title, QWidget* body);

}  // namespace fathom
