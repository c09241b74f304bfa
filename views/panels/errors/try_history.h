// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/panels/errors/try_panel.h"
#include "views/tables/table_model.h"

namespace fathom {

// The tries of a session, a row each, the first one on top; what differs from it is bold.
class TryHistoryModel : public TableModel {
  Q_OBJECT
 public:
  enum Column { kNumber, kCategory, kAnswer, kLinks, kQuestion, kSql, kSeconds, kColumns };
  // `tries` is borrowed.
  explicit TryHistoryModel(const QVector<PredictionTry>* tries, QObject* parent = nullptr)
      : TableModel(parent), m_tries(tries) {}
  // They are others, or more.
  void refresh();
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  qsizetype shownRows() const override { return m_rows; }
  qsizetype shownColumns() const override { return kColumns; }
  QString title(int column) const override;
  static QString text(const PredictionTry& made, int row, int column);
  const QVector<PredictionTry>* m_tries;
  qsizetype m_rows = 0;
};

// "Column", "Correct": what the program says of a prediction beside gold; empty without one.
QString tryCategory(const PredictionTry& made);

}  // namespace fathom
