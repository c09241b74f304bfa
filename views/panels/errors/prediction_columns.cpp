// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/prediction_columns.h"

#include <QApplication>
#include <QEvent>
#include <QHeaderView>
#include <QTableView>

#include "views/look/theme.h"
#include "views/panels/widgets/frozen_columns.h"
#include "views/tables/prediction_table_model.h"

namespace fathom {

namespace {

constexpr int kMark = 26;
constexpr int kLeastText = 14;  // characters
// Parts of the table: what stays at the left leaves the others some room, and the marks leave the text some.
constexpr double kFrozenShare = 0.72, kMarksShare = 0.3;

}  // namespace

PredictionColumns::PredictionColumns(QTableView* table, PredictionTableModel* model)
    : QObject(table), m_table(table), m_model(model), m_frozen(new FrozenColumns(table, {0})) {
  table->viewport()->installEventFilter(this);
  connect(table->horizontalHeader(), &QHeaderView::sectionResized, this, [this](int column) {
    const bool dragged = QApplication::mouseButtons().testFlag(Qt::LeftButton);
    if (column == PredictionTableModel::kText && !m_fitting && dragged) m_byHand = true;
  });
}

void PredictionColumns::sizeOnce() {
  if (!m_sized && m_model->rowCount() > 0) size();
}

int PredictionColumns::wanted(int column) const {
  if (m_model->modelOfColumn(column) >= 0) return kMark;
  const int digit = m_table->fontMetrics().horizontalAdvance(QLatin1Char('0'));
  // A column is never narrower than its head.
  return qMax(m_model->columnDigits(column) * digit, m_table->horizontalHeader()->sectionSizeHint(column));
}

void PredictionColumns::size() {
  m_sized = true;
  m_fitting = true;
  for (int column = 0; column < m_model->columnCount(); ++column)
    if (column != PredictionTableModel::kText || !m_byHand) m_table->setColumnWidth(column, wanted(column));
  m_fitting = false;
  fitText();
}

int PredictionColumns::naturalWidth() const {
  int width = 0;
  for (int column = 0; column < m_model->columnCount(); ++column) width += wanted(column);
  return width;
}

// As much as is left, but where that is little as much as number and marks leave at the left.
void PredictionColumns::fitText() {
  if (!m_sized) return;
  constexpr int kText = PredictionTableModel::kText;
  if (!m_byHand) {
    const int room = m_table->viewport()->width();
    int others = 0, marks = 0;
    for (int column = 0; column < m_model->columnCount(); ++column) {
      if (column != kText) others += m_table->columnWidth(column);
      if (m_model->modelOfColumn(column) >= 0) marks += m_table->columnWidth(column);
    }
    const int besideMarks =
        int(kFrozenShare * room) - m_table->columnWidth(0) - qMin(marks, int(kMarksShare * room));
    const int least = kLeastText * m_table->fontMetrics().averageCharWidth();
    m_fitting = true;
    m_table->setColumnWidth(kText, qMax(least, qMin(wanted(kText), qMax(room - others, besideMarks))));
    m_fitting = false;
  }
  freeze();
}

// Number and text, and as many marks as leave room beside them.
void PredictionColumns::freeze() {
  QVector<int> columns = {0, PredictionTableModel::kText};
  int width = m_table->columnWidth(0) + m_table->columnWidth(PredictionTableModel::kText);
  for (int column = PredictionTableModel::kFirstModel; m_model->modelOfColumn(column) >= 0; ++column) {
    width += m_table->columnWidth(column);
    if (width > kFrozenShare * m_table->viewport()->width() + 1) break;
    columns.append(column);
  }
  m_frozen->setColumns(columns);
}

bool PredictionColumns::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_table->viewport() && event->type() == QEvent::Resize) fitText();
  return QObject::eventFilter(watched, event);
}

}  // namespace fathom
