// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/review_table_model.h"

#include "views/look/engine_text.h"

namespace fathom {

ReviewTableModel::ReviewTableModel(ReviewedPredictions* review, QObject* parent)
    : TableModel(parent), m_reviewed(review), m_filter(review) {
  connect(review, &ReviewedPredictions::reviewChanged, this, [this] {
    replaceTable([this] {
      m_filter.rebuild();
      m_shownModel = -1;
      m_rows.clear();
      m_rowOf.clear();
    });
    refresh();
  });
  connect(review, &ReviewedPredictions::currentChanged, this, [this] {
    if (m_reviewed->currentModel() == m_shownModel) return;
    refresh();
    if (columnCount() > 0) Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
  });
  connect(review, &ReviewedPredictions::exampleChanged, this, [this](int example) {
    m_filter.reread(example);
    m_filter.recount();
    const int row = rowOfExample(example);
    if (row >= 0) changedRows(row, row);
    Q_EMIT filtered();
  });
}

void ReviewTableModel::refresh() {
  m_filter.apply();
  const std::vector<int>& rows = m_filter.rows();
  // Another letter of a word often leaves the same rows.
  if (rows != m_rows || m_shownModel != m_reviewed->currentModel()) {
    replaceTable([&] {
      m_rows = rows;
      m_shownModel = m_reviewed->currentModel();
      m_rowOf.assign(std::size_t(m_reviewed->examples()), -1);
      for (std::size_t row = 0; row < m_rows.size(); ++row) m_rowOf[std::size_t(m_rows[row])] = int(row);
    });
  }
  Q_EMIT filtered();
}

int ReviewTableModel::rowOfExample(int example) const {
  return example >= 0 && example < int(m_rowOf.size()) ? m_rowOf[std::size_t(example)] : -1;
}

int ReviewTableModel::nextWrong(int after, int direction) const {
  const int model = m_reviewed->currentModel();
  if (model < 0) return -1;
  int row = after < 0 ? (direction > 0 ? 0 : rowCount() - 1) : after + direction;
  for (; row >= 0 && row < rowCount(); row += direction)
    if (m_reviewed->isWrong(model, exampleOfRow(row))) return row;
  return -1;
}

QString ReviewTableModel::modelLetter(int model) {
  QString letters;
  for (int rest = model + 1; rest > 0; rest = (rest - 1) / 26) letters.prepend(QChar(u'A' + (rest - 1) % 26));
  return letters;
}

QVariant ReviewTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const int example = exampleOfRow(index.row());
  const int column = index.column();
  switch (role) {
    case Qt::DisplayRole:
      return text(example, column);
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
      return toolTip(example, column);
    case Qt::TextAlignmentRole:
      if (isNumber(column)) return int(Qt::AlignRight | Qt::AlignVCenter);
      return int((modelOfColumn(column) >= 0 ? Qt::AlignHCenter : Qt::AlignLeft) | Qt::AlignVCenter);
    default:
      return {};
  }
}

ReviewTableModel::Shown ReviewTableModel::shownAt(const QModelIndex& index) const {
  const int model = modelOfColumn(index.column());
  return shown(model < 0 ? m_reviewed->currentModel() : model, exampleOfRow(index.row()));
}

QVariant ReviewTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  const int model = orientation == Qt::Horizontal ? modelOfColumn(section) : -1;
  if (role == Qt::ToolTipRole && model >= 0) return m_reviewed->modelName(model);
  if (role == Qt::TextAlignmentRole && model >= 0) return int(Qt::AlignCenter);
  return TableModel::headerData(section, orientation, role);
}

void ReviewTableModel::sortBy(ReviewFilter::Sort key, Qt::SortOrder order, int model) {
  m_filter.setSort(key, order == Qt::DescendingOrder, model);
  refresh();
}

}  // namespace fathom
