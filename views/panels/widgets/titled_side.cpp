// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/titled_side.h"

#include <QSplitter>
#include <QVBoxLayout>

namespace fathom {

void addTitledSide(QSplitter* splitter, QWidget* title, QWidget* body) {
  auto* side = new QWidget(splitter);
  auto* layout = new QVBoxLayout(side);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  // Two sides stay level whatever scripts their titles are in: other fonts are taller.
  title->setMinimumHeight(title->fontMetrics().height() * 7 / 5);
  layout->addWidget(title);
  layout->addWidget(body, 1);
  splitter->addWidget(side);
}

}  // namespace fathom
