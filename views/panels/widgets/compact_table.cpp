// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/compact_table.h"

#include <QHeaderView>
#include <QTableView>

#include "views/look/theme.h"

namespace fathom {

namespace {

QTableView* plainTable(QAbstractItemModel* model, const QString& name, QWidget* parent) {
  auto* table = new QTableView(parent);
  table->setModel(model);
  table->setAccessibleName(name);
  table->setShowGrid(false);
  table->setTabKeyNavigation(false);
  table->verticalHeader()->hide();
  table->verticalHeader()->setDefaultSectionSize(metrics::kTableRow);
  return table;
}

}  // namespace

QTableView* rowTable(QAbstractItemModel* model, const QString& name, QWidget* parent) {
  QTableView* table = plainTable(model, name, parent);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  return table;
}

QTableView* compactTable(QAbstractItemModel* model, const QString& name, QWidget* parent) {
  QTableView* table = plainTable(model, name, parent);
  table->setWordWrap(false);
  table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
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
