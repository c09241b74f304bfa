// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/look/qt_names.h"
#include "views/tables/query_result.h"

namespace fathom {

class ElidedLabel;

// What both queries answer on the example's database, side by side; rows that only one of them has are tinted
// and come first.
class ResultsPanel : public QWidget {
  Q_OBJECT
 public:
  explicit ResultsPanel(QWidget* parent = nullptr);
  // What the two queries are called; without a name for the first one only the second is shown.
  void setSides(const QString& first, const QString& second);
  // Nothing to show, and why ("No folder of databases is known…").
  void showMessage(const QString& text);
  void showRunning();
  // `verdict`: what the comparison says in words; `layers`: the sandbox that was active.
  void showResults(const QueryResult& gold, const QueryResult& predicted, bool ordered,
                   const QString& verdict, const QString& layers);

 private:
  QLabel* m_verdict;
  ElidedLabel* m_goldTitle;
  ElidedLabel* m_predictedTitle;
  QueryResultModel* m_gold;
  QueryResultModel* m_predicted;
  QTableView* m_goldTable;
  QTableView* m_predictedTable;
  QString m_goldName, m_predictedName;
  QWidget* m_body;
};

}  // namespace fathom
