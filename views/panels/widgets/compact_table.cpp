// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/compact_table.h"

#include <QHeaderView>
#include <QTableView>

#include "views/look/theme.h"

namespace fathom {

QTableView* compactTable(QAbstractItemModel* model, const QString& name, QWidget* parent) {
  auto* table = new QTableView(parent);
  table->setModel(model);
  table->setAccessibleName(name);
  table->setShowGrid(false);
  table->setWordWrap(false);
  table->setTabKeyNavigation(false);
  table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table->verticalHeader()->hide();
  table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table->verticalHeader()->setDefaultSectionSize(metrics::kTableRow);
  table->horizontalHeader()->setHighlightSections(false);
  table->horizontalHeader()->setTextElideMode(Qt::ElideRight);
  return table;
}

void fitColumns(QTableView* table, int widest) {
  table->resizeColumnsToContents();
  for (int column = 0; column < table->model()->columnCount(); ++column)
    if (table->columnWidth(column) > widest) table->setColumnWidth(column, widest);
}

}  // namespace fathom
