// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/window/errors/review_talk.h"
#include "core/base/json/json.h"
#include "views/look/qt_names.h"
#include "views/tables/reviewed_predictions.h"

namespace fathom {

class ErrorsActions;
class FileChoice;
class JobCenter;
class ComparisonPanel;
class KindExamplePanel;
class PredictionTableModel;
class MessageBar;
class PredictionPanel;

// The part of the Errors workspace for predictions that are not SQL: the table with its filter and facets,
// the example, the comparison. Keys and actions are those of the workspace, with the categories of the kind.
class KindReviewPage : public QWidget {
  Q_OBJECT
 public:
  // All are borrowed.
  KindReviewPage(JobCenter* jobs, MessageBar* messages, FileChoice* files, SelectionModel* selection,
                 ErrorsActions* actions, QWidget* parent);
  ReviewedPredictions* review() const { return m_review; }
  PredictionTableModel* model() const { return m_model; }
  PredictionPanel* predictions() const { return m_predictions; }
  KindExamplePanel* example() const { return m_example; }
  ComparisonPanel* comparison() const { return m_comparison; }
  void setReview(std::shared_ptr<OpenReview> open);

  // Where somebody is: model, example, filter, part. Only where the same model is open again.
  Json savePlace() const;
  void returnTo(const Json& place);
  void showReview();
  void showComparison();
  bool comparing() const;
  // What the actions are called for this kind, and whether they make sense now.
  void refreshActions();
  // The n-th category that a person may give, from 0.
  void setCategory(int number);
  void clearCategory();
  void goWrong(int direction);
  void exportFigure(const QString& file = {});
  void exportTable(const QString& file = {});
  void undo();
  void redo();
  void focusFilter();
  void keep();
  QList<QWidget*> places() const;

 Q_SIGNALS:
  void changed();

 private:
  int predictionsWidth();
  void comparePairs();
  void pickSelection(const QString& selection);
  JobCenter* m_jobs;
  ReviewTalk m_talk;
  SelectionModel* m_selection;
  ErrorsActions* m_actions;
  ReviewedPredictions* m_review;
  PredictionTableModel* m_model;
  QTabWidget* m_tabs;
  PredictionPanel* m_predictions;
  KindExamplePanel* m_example;
  ComparisonPanel* m_comparison;
};

}  // namespace fathom
