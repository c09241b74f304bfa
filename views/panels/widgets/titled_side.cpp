// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/titled_side.h"

#include <QSplitter>

#include "views/panels/widgets/boxes.h"

namespace fathom {

void addTitledSide(QSplitter* splitter, QWidget* title, QWidget* body) {
  auto* side = new QWidget(splitter);
  // Two sides stay level whatever scripts their titles are in: other fonts are taller.
  title->setMinimumHeight(title->fontMetrics().height() * 7 / 5);
  makeColumn(side, {title, {body, 1}}, 2);
  splitter->addWidget(side);
}

}  // namespace fathom
