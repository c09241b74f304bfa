// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/errors/review_page.h"

namespace fathom {

class ExamplePanel;
class HypothesisLoader;
class HypothesisPanel;
class NaturalSplit;
class PredictionTries;
class QueryRunner;
class ResultsPanel;
class SchemaPanel;
class SideOrTab;
class TryPanel;

// The panels of predictions that are SQL: both queries beside each other, the schema of their database, what
// they give when they are executed, what the search had, and the model of a run that is asked again.
class SqlReviewPage : public ReviewPage {
  Q_OBJECT
 public:
  SqlReviewPage(const ReviewPageParts& parts, QWidget* parent);
  ExamplePanel* example() const { return m_example; }
  SchemaPanel* schema() const { return m_schema; }
  ResultsPanel* results() const { return m_results; }
  HypothesisPanel* hypotheses() const { return m_hypotheses; }
  TryPanel* tryPanel() const { return m_try; }
  // The model of the current prediction's run is asked again; or a question of one's own.
  void showTry(bool own);

  Json saveLayout() const override;
  void restoreLayout(const Json& view) override;
  void showPart(Part part) override;
  void undo() override;
  void redo() override;
  void keep() override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 protected:
  NoteLines* notes() const override;
  bool canJudge() override;
  void nameKeys() override;
  void refreshOwnActions(bool reviewing, bool writable) override;
  void savePlaceOf(Json& place) const override;
  void returnToPlaceOf(const Json& place) override;
  QList<QWidget*> placesOf(Part part) const override;
  QStringList helpOfKind() const override;
  bool exportsList() const override { return false; }

 private:
  void makeReview();
  void fitParts();
  void bindActions();
  void connectPanels();
  void connectHypotheses();
  void showSql();
  QSplitter* m_columns;  // predictions | what one of them is
  QSplitter* m_detail;   // above: example | schema; below: results
  QSplitter* m_above;
  NaturalSplit *m_columnsFit = nullptr, *m_detailFit = nullptr;
  ExamplePanel* m_example;
  SchemaPanel* m_schema;
  ResultsPanel* m_results;
  SideOrTab *m_schemaPlace = nullptr, *m_resultsPlace = nullptr;
  HypothesisPanel* m_hypotheses;  // a tab of the example
  TryPanel* m_try;
  QueryRunner* m_runner;
  PredictionTries* m_tries;
  HypothesisLoader* m_loader;
};

}  // namespace fathom
