// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/query_result.h"

#include <QGuiApplication>
#include <QMultiHash>
#include <QPalette>
#include <algorithm>

#include "views/look/theme.h"

namespace fathom {

namespace {

QString rowKey(QStringList row) {
  row.sort();
  return row.join(QChar(0x1f));
}

bool holdsNumbers(const QVector<QStringList>& rows, int column) {
  bool any = false;
  for (const QStringList& row : rows) {
    const QString cell = row.value(column);
    if (cell.isEmpty() || cell == QLatin1String("NULL")) continue;
    cell.toDouble(&any);
    if (!any) return false;
  }
  return any;
}

}  // namespace

QVector<RowPair> pairRows(const QVector<QStringList>& gold, const QVector<QStringList>& predicted,
                          bool ordered) {
  QVector<RowPair> pairs;
  if (ordered) {
    const qsizetype rows = qMax(gold.size(), predicted.size());
    for (qsizetype i = 0; i < rows; ++i) {
      const bool both = i < gold.size() && i < predicted.size() && rowKey(gold[i]) == rowKey(predicted[i]);
      if (both) {
        pairs.append({int(i), int(i)});
        continue;
      }
      if (i < gold.size()) pairs.append({int(i), -1});
      if (i < predicted.size()) pairs.append({-1, int(i)});
    }
    return pairs;
  }
  QMultiHash<QString, int> left;
  for (qsizetype i = predicted.size() - 1; i >= 0; --i) left.insert(rowKey(predicted[i]), int(i));
  QVector<bool> taken(predicted.size(), false);
  for (qsizetype i = 0; i < gold.size(); ++i) {
    const auto found = left.find(rowKey(gold[i]));
    if (found == left.end()) {
      pairs.append({int(i), -1});
      continue;
    }
    taken[*found] = true;
    pairs.append({int(i), *found});
    left.erase(found);
  }
  for (qsizetype i = 0; i < predicted.size(); ++i)
    if (!taken[i]) pairs.append({-1, int(i)});
  // Rows that differ come first: they are what one looks for.
  std::stable_partition(pairs.begin(), pairs.end(),
                        [](const RowPair& pair) { return pair.gold < 0 || pair.predicted < 0; });
  return pairs;
}

void QueryResultModel::setResult(const QueryResult& result, const QVector<RowPair>& pairs) {
  replaceTable([&] {
    m_result = result;
    m_pairs = pairs;
    m_numbers.clear();
    for (int column = 0; column < result.columns.size(); ++column)
      m_numbers.append(holdsNumbers(result.rows, column));
  });
}

QVariant QueryResultModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= m_pairs.size()) return {};
  const RowPair& pair = m_pairs[index.row()];
  if (role == Qt::TextAlignmentRole)
    return int((m_numbers.value(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  const int mine = m_gold ? pair.gold : pair.predicted, other = m_gold ? pair.predicted : pair.gold;
  if (role == Qt::BackgroundRole && mine >= 0 && other < 0) {
    const Theme& theme = Theme::of(QGuiApplication::palette());
    QColor colour = m_gold ? theme.finished : theme.diverged;
    colour.setAlphaF(0.18F);
    return colour;
  }
  if (mine < 0 || index.column() >= m_result.rows[mine].size()) return {};
  if (role == Qt::DisplayRole || role == Qt::ToolTipRole) return m_result.rows[mine][index.column()];
  return {};
}

}  // namespace fathom
