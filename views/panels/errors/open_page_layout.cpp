// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/open_page_layout.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>

#include "views/look/theme.h"

namespace fathom {

void layOutOpenPage(QWidget* page, std::initializer_list<BoxPart> above, QTreeWidget* files, QLabel* problem,
                    QPushButton* open) {
  constexpr int kWidestInCharacters = 140, kMostFiles = 12;
  auto* body = new QWidget(page);
  body->setMaximumWidth(kWidestInCharacters * page->fontMetrics().averageCharWidth());
  files->setMaximumHeight((kMostFiles + 1) * metrics::kFormRow);
  QSizePolicy kept = problem->sizePolicy();
  kept.setRetainSizeWhenHidden(true);
  problem->setSizePolicy(kept);
  // What is said takes no room from what is above it: the button stays where it was pressed.
  constexpr int kProblemLines = 3;
  problem->setMinimumHeight(kProblemLines * problem->fontMetrics().lineSpacing());
  problem->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  auto* bottom = makeRow({{problem, 1}, {open, 0, Qt::AlignTop}});
  auto* column = makeColumn(body, above, metrics::kGroupGap);
  column->addWidget(files, 1);
  column->addLayout(bottom);
  column->addStretch();
  makeRow(page, {{body, 1}, BoxPart::stretch()}, 0,
          {metrics::kGroupGap, metrics::kGroupGap, metrics::kGroupGap, metrics::kGroupGap});
}

}  // namespace fathom
