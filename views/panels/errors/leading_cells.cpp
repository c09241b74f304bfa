// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/leading_cells.h"

#include <QMouseEvent>
#include <QTableView>

#include "views/tables/paper/paper_table_model.h"

namespace fathom {

LeadingCells::LeadingCells(QTableView* table) : QObject(table), m_table(table) {
  table->setMouseTracking(true);
  table->viewport()->installEventFilter(this);
  connect(table, &QTableView::clicked, this, &LeadingCells::choose);
  connect(table, &QTableView::activated, this, &LeadingCells::choose);
}

QString LeadingCells::selectionAt(const QModelIndex& cell) const {
  const auto* model = qobject_cast<const PaperTableModel*>(m_table->model());
  return model == nullptr || !cell.isValid() ? QString() : model->selectionAt(cell);
}

// "careful · wrong": what the row is about, and the number.
void LeadingCells::choose(const QModelIndex& cell) {
  const QString selection = selectionAt(cell);
  if (selection.isEmpty()) return;
  QStringList words = {cell.siblingAtColumn(0).data().toString()};
  if (cell.column() > 0) words.append(m_table->model()->headerData(cell.column(), Qt::Horizontal).toString());
  Q_EMIT chosen(cell, selection, words.join(QStringLiteral(" · ")));
}

bool LeadingCells::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_table->viewport() && event->type() == QEvent::MouseMove) {
    const QPoint at = static_cast<QMouseEvent*>(event)->position().toPoint();
    const bool leads = !selectionAt(m_table->indexAt(at)).isEmpty();
    m_table->viewport()->setCursor(leads ? Qt::PointingHandCursor : Qt::ArrowCursor);
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace fathom
