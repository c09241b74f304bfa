// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QVector>

#include "views/tables/table_model.h"

namespace fathom {

// Answer of one executed query, as it is shown.
struct QueryResult {
  bool ok = false;
  QString message;  // why there are no rows; "" = fine
  QStringList columns;
  QVector<QStringList> rows;  // at most kShownRows
  qint64 rowCount = 0;        // of the whole result
  double seconds = 0;
  static constexpr qsizetype kShownRows = 2000;
};

// Rows of two results beside each other: -1 on a side = no such row there. Rows are equal when they hold the
// same cells in any order of columns; with `ordered` equal rows must also come in the same order.
struct RowPair {
  int gold = -1, predicted = -1;
};
QVector<RowPair> pairRows(const QVector<QStringList>& gold, const QVector<QStringList>& predicted,
                          bool ordered);

// One side of such a pair of results; rows that only this side has are tinted, the others' are left empty.
class QueryResultModel : public TableModel {
  Q_OBJECT
 public:
  explicit QueryResultModel(bool isGold, QObject* parent = nullptr) : TableModel(parent), m_gold(isGold) {}
  void setResult(const QueryResult& result, const QVector<RowPair>& pairs);
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  qsizetype shownRows() const override { return m_pairs.size(); }
  qsizetype shownColumns() const override { return m_result.columns.size(); }
  QString title(int column) const override { return m_result.columns.value(column); }
  bool m_gold;
  QueryResult m_result;
  QVector<RowPair> m_pairs;
  QVector<bool> m_numbers;  // by column: it holds nothing else
};

}  // namespace fathom
