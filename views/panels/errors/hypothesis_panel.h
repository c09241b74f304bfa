// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/look/qt_names.h"
#include "views/tables/hypothesis_models.h"
#include "views/tables/sql_predictions.h"

namespace fathom {

class ElidedLabel;
class EmptyState;

// What the search had at its end for the current example: hypotheses with their scores, which one is the
// prediction and which are gold, and the actions of the selected one with their probabilities.
class HypothesisPanel : public QWidget {
  Q_OBJECT
 public:
  // `review` is borrowed.
  explicit HypothesisPanel(ReviewedPredictions* review, QWidget* parent = nullptr);
  // Says why there is nothing to show.
  void showMessage(const QString& text);
  // Details of the current example and model. Without a hypothesis it says so.
  void showDetails(const SearchDetails& details);
  // The stored prediction is selected again, where it is one of them.
  void showStored();
  QTableView* hypotheses() const { return m_hypotheses; }
  QTableView* actions() const { return m_actions; }
  const HypothesisTableModel* model() const { return m_beam; }

 Q_SIGNALS:
  // Somebody selected one; the prediction itself: both empty.
  void hypothesisChosen(const QString& sql, const QString& name);

 private:
  void choose(int row);
  ReviewedPredictions* m_review;
  HypothesisTableModel* m_beam;
  ActionTableModel* m_steps;
  EmptyState* m_empty;
  QWidget* m_body;
  ElidedLabel* m_beamTitle;
  ElidedLabel* m_stepsTitle;
  QTableView* m_hypotheses;
  QTableView* m_actions;
  bool m_filling = false;
};

}  // namespace fathom
