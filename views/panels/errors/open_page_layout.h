// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>

#include "views/look/qt_names.h"
#include "views/panels/widgets/boxes.h"

namespace fathom {

// A page that opens predictions: as wide as is read well, its list as high as a few files need, and the
// button that opens them below it where it stays, whatever is said beside it.
void layOutOpenPage(QWidget* page, std::initializer_list<BoxPart> above, QTreeWidget* files, QLabel* problem,
                    QPushButton* open);

}  // namespace fathom
