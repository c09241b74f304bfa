// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/review/judged_review.h"
#include "views/look/qt_names.h"
#include "views/tables/reviewed_predictions.h"

namespace fathom {

class PaperTableModel;

// The models of a review in pairs: examples that one of them alone has right, difference and test. Every
// number leads to its examples: those of the difference and its test are all on which the two differ.
class ModelPairs : public QWidget {
  Q_OBJECT
 public:
  // `review` is borrowed.
  explicit ModelPairs(ReviewedPredictions* review, QWidget* parent = nullptr);
  // They come later, from a job.
  void setPairs(JudgedPairs pairs);
  // They are out of date: none are shown, exported or clicked until others come.
  void forget();
  bool known() const { return m_known; }
  QTableView* table() const { return m_table; }
  PaperTableModel* model() const { return m_model; }

 Q_SIGNALS:
  void examplesPicked(const std::vector<int>& examples, const QString& title);

 private:
  struct Behind {
    int model = 0;  // whose wrong answers they are, else the first of the pair
    std::vector<int> examples;
    QString title;
  };
  Behind behind(int row, int column) const;
  void show(JudgedPairs pairs);
  void pick(const QModelIndex& cell);
  ReviewedPredictions* m_review;
  JudgedPairs m_pairs;
  bool m_known = false;
  PaperTableModel* m_model;
  QTableView* m_table;
  QLabel* m_text;
};

}  // namespace fathom
