// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/compact_table.h"

#include <QEvent>
#include <QHeaderView>
#include <QStyle>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QTreeView>
#include <QtMath>

#include "views/look/theme.h"

namespace fathom {

namespace {

QHeaderView* columnsOf(const QAbstractItemView* view) {
  if (const auto* table = qobject_cast<const QTableView*>(view)) return table->horizontalHeader();
  const auto* tree = qobject_cast<const QTreeView*>(view);
  return tree == nullptr ? nullptr : tree->header();
}

// Columns that were once made as wide as their content, or as somebody wanted them, grow and shrink with the
// size of texts.
class ColumnsOfFont : public QObject {
 public:
  explicit ColumnsOfFont(QAbstractItemView* view) : QObject(view), m_view(view), m_digit(digit()) {
    view->installEventFilter(this);
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::FontChange) follow();
    return QObject::eventFilter(watched, event);
  }

 private:
  double digit() const { return QFontMetricsF(m_view->font()).horizontalAdvance(QLatin1Char('0')); }
  void follow() {
    const double now = digit();
    QHeaderView* columns = columnsOf(m_view);
    if (qFuzzyCompare(now, m_digit) || m_digit <= 0) return;
    // The free room beside a text is as wide whatever its size is: a column that shrinks keeps it.
    const bool shrinks = now < m_digit;
    const int kept = 2 * (m_view->style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, m_view) + 1);
    const auto scaled = [&](int width) {
      const double factor = now / m_digit;
      return shrinks ? kept + qCeil((width - kept) * factor) : qRound(width * factor);
    };
    for (int section = 0; section < columns->count(); ++section)
      if (!columns->isSectionHidden(section) &&
          columns->sectionResizeMode(section) == QHeaderView::Interactive)
        columns->resizeSection(section, scaled(columns->sectionSize(section)));
    m_digit = now;
  }
  QAbstractItemView* m_view;
  double m_digit;
};

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
  new ColumnsOfFont(table);
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
  if (columnsOf(view) != nullptr) new ColumnsOfFont(view);
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
