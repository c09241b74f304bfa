// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/frozen_columns.h"

#include <QCoreApplication>
#include <QEvent>
#include <QHeaderView>
#include <QMenu>
#include <QScrollBar>
#include <QWheelEvent>

namespace fathom {

FrozenColumns::FrozenColumns(QTableView* table, const QVector<int>& columns)
    : QTableView(table), m_table(table), m_columns(columns) {
  setModel(table->model());
  setSelectionModel(table->selectionModel());
  setItemDelegate(table->itemDelegate());
  setSelectionBehavior(table->selectionBehavior());
  setSelectionMode(table->selectionMode());
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setDragEnabled(table->dragEnabled());
  setShowGrid(false);
  setWordWrap(false);
  setFocusPolicy(Qt::NoFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollMode(table->verticalScrollMode());
  setContextMenuPolicy(Qt::CustomContextMenu);
  setFrameShape(QFrame::NoFrame);
  setAccessibleName(table->accessibleName());
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(table->verticalHeader()->defaultSectionSize());
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setSectionsClickable(true);
  horizontalHeader()->setDefaultAlignment(table->horizontalHeader()->defaultAlignment());
  hide();
  table->viewport()->installEventFilter(this);
  connect(verticalScrollBar(), &QScrollBar::valueChanged, table->verticalScrollBar(), &QScrollBar::setValue);
  connect(table->verticalScrollBar(), &QScrollBar::valueChanged, verticalScrollBar(), &QScrollBar::setValue);
  connect(table->horizontalScrollBar(), &QScrollBar::valueChanged, this, &FrozenColumns::follow);
  connect(table->horizontalScrollBar(), &QScrollBar::rangeChanged, this, &FrozenColumns::follow);
  connect(table->horizontalHeader(), &QHeaderView::sectionResized, this, &FrozenColumns::follow);
  connect(table->horizontalHeader(), &QHeaderView::sectionMoved, this, &FrozenColumns::follow);
  connect(horizontalHeader(), &QHeaderView::sectionClicked, this, [this](int column) {
    const QHeaderView* head = m_table->horizontalHeader();
    const bool again = head->sortIndicatorSection() == column;
    m_table->sortByColumn(column, again && head->sortIndicatorOrder() == Qt::AscendingOrder
                                      ? Qt::DescendingOrder
                                      : Qt::AscendingOrder);
  });
  connect(this, &QWidget::customContextMenuRequested, table, [this](const QPoint& at) {
    if (m_table->contextMenuPolicy() == Qt::ActionsContextMenu) {
      QMenu::exec(m_table->actions(), viewport()->mapToGlobal(at), nullptr, m_table);
      return;
    }
    Q_EMIT m_table->customContextMenuRequested(
        m_table->viewport()->mapFromGlobal(viewport()->mapToGlobal(at)));
  });
  connect(table->selectionModel(), &QItemSelectionModel::currentChanged, this, &FrozenColumns::uncover);
}

void FrozenColumns::setColumns(const QVector<int>& columns) {
  m_columns = columns;
  follow();
}

int FrozenColumns::coveredWidth() const {
  int width = 0;
  for (const int column : m_columns)
    if (!m_table->isColumnHidden(column)) width += m_table->columnWidth(column);
  return width;
}

// They are there while something is scrolled away, and leave the others some room.
void FrozenColumns::follow() {
  const int covered = coveredWidth();
  const bool wanted =
      m_table->horizontalScrollBar()->value() > 0 && covered < m_table->viewport()->width() * 3 / 4;
  if (!wanted) return hide();
  for (int column = 0; column < model()->columnCount(); ++column) {
    const bool ours = m_columns.contains(column) && !m_table->isColumnHidden(column);
    setColumnHidden(column, !ours);
    if (ours) setColumnWidth(column, m_table->columnWidth(column));
  }
  horizontalHeader()->setFixedHeight(m_table->horizontalHeader()->height());
  const QRect inside = m_table->viewport()->geometry();
  const int head = m_table->horizontalHeader()->height();
  setGeometry(inside.left(), inside.top() - head, covered, inside.height() + head);
  verticalScrollBar()->setValue(m_table->verticalScrollBar()->value());
  show();
  raise();
}

// A cell that the keyboard goes to must not lie below them.
void FrozenColumns::uncover(const QModelIndex& current) {
  if (isHidden() || !current.isValid() || m_columns.contains(current.column())) return;
  const int hidden = coveredWidth() - m_table->visualRect(current).left();
  QScrollBar* bar = m_table->horizontalScrollBar();
  if (hidden > 0) bar->setValue(bar->value() - hidden);
}

bool FrozenColumns::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_table->viewport() && event->type() == QEvent::Resize) follow();
  return QTableView::eventFilter(watched, event);
}

// A cell in sight is clicked: the table would scroll sideways to its own one below.
void FrozenColumns::mousePressEvent(QMouseEvent* event) {
  QScrollBar* bar = m_table->horizontalScrollBar();
  const int scrolled = bar->value();
  QTableView::mousePressEvent(event);
  bar->setValue(scrolled);
}

void FrozenColumns::mouseDoubleClickEvent(QMouseEvent* event) {
  const QModelIndex index = indexAt(event->pos());
  if (index.isValid()) Q_EMIT m_table->doubleClicked(index);
}

void FrozenColumns::wheelEvent(QWheelEvent* event) {
  QCoreApplication::sendEvent(m_table->viewport(), event);
}

}  // namespace fathom
