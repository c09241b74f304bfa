// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/compact_table.h"

#include <QHeaderView>
#include <QStyledItemDelegate>
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
  // Else a heading that is aligned to the right loses its beginning.
  table->horizontalHeader()->setTextElideMode(Qt::ElideRight);
  return table;
}

class EvenRows : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const QSize size = QStyledItemDelegate::sizeHint(option, index);
    return {size.width(), qMax(size.height(), metrics::kTableRow)};
  }
};

// Lines of neighbouring rows stand apart.
class WrappedRows : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const QSize size = QStyledItemDelegate::sizeHint(option, index);
    return {size.width(), qMax(size.height() + 2 * metrics::kGrid, metrics::kTableRow)};
  }
};

}  // namespace

void wrapRows(QTableView* table) {
  table->setWordWrap(true);
  table->setItemDelegate(new WrappedRows(table));
  table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  QObject::connect(table->horizontalHeader(), &QHeaderView::geometriesChanged, table,
                   &QTableView::resizeRowsToContents);
}

void evenRows(QAbstractItemView* view) {
  view->setItemDelegate(new EvenRows(view));
}

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
  return table;
}

void fillWidth(QTableView* table, int wide) {
  QHeaderView* header = table->horizontalHeader();
  header->setStretchLastSection(false);
  header->setTextElideMode(Qt::ElideRight);
  for (int column = 0; column < table->model()->columnCount(); ++column)
    header->setSectionResizeMode(column,
                                 column == wide ? QHeaderView::Stretch : QHeaderView::ResizeToContents);
}

void fitColumns(QTableView* table, int widest) {
  table->resizeColumnsToContents();
  for (int column = 0; column < table->model()->columnCount(); ++column)
    if (table->columnWidth(column) > widest) table->setColumnWidth(column, widest);
}

}  // namespace fathom
