// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/errors/review_loader.h"
#include "app/window/errors/review_talk.h"
#include "app/window/workspace.h"
#include "views/look/qt_names.h"

namespace fathom {

class ComparisonPanel;
class EmptyState;
class ErrorsActions;
class ExamplePanel;
class FileChoice;
class HypothesisLoader;
class HypothesisPanel;
class JobCenter;
class KindOpenPage;
class KindReviewPage;
class MessageBar;
class NaturalSplit;
class OpenPredictionsPage;
class PredictionTries;
class PredictionPanel;
class PredictionTableModel;
class ProgressPage;
class ProjectService;
class QueryRunner;
class ResultsPanel;
class SchemaPanel;
class SideOrTab;
class TryPanel;

// The Errors workspace: the predictions of any number of models, checked by hand. Makes its panels and keeps
// them in step with one review; files and long work are done in jobs. The window puts `widget` into its
// centre.
class ErrorsWorkspace : public Workspace {
  Q_OBJECT
 public:
  enum Page { kEmpty, kLoading, kOpen, kReview, kCompare, kTry, kOpenKind, kKind };
  // All are borrowed; `window` owns the widgets.
  ErrorsWorkspace(ProjectService* service, JobCenter* jobs, MessageBar* messages, FileChoice* files,
                  SelectionModel* selection, ErrorsActions* actions, QWidget* window);
  ~ErrorsWorkspace() override;

  QWidget* widget() const override { return m_widget; }
  QStackedWidget* pages() const { return m_pages; }
  ReviewedPredictions* review() const { return m_review; }
  PredictionPanel* predictions() const { return m_predictions; }
  PredictionTableModel* model() const { return m_model; }
  ExamplePanel* example() const { return m_example; }
  OpenPredictionsPage* openPage() const { return m_openPage; }
  SchemaPanel* schema() const { return m_schema; }
  ResultsPanel* results() const { return m_results; }
  HypothesisPanel* hypotheses() const { return m_hypotheses; }
  ComparisonPanel* comparison() const { return m_comparison; }
  TryPanel* tryPanel() const { return m_try; }
  // Predictions of other kinds.
  KindReviewPage* kindPage() const { return m_kind; }
  KindOpenPage* kindOpenPage() const { return m_openKind; }

  // What the project looked at last is opened once.
  void activate() override;
  void reset() override;
  void refreshActions() override;
  // What another window on the same project, which goes, has open: executing its queries may have taken
  // minutes.
  void takeOver(ErrorsWorkspace& other);
  void openSample();
  // The stored prediction sets of a run.
  void openRun(const RunItem& run);
  void showOpenPage();
  void open(const ReviewSources& sources);
  void showOpenKindPage();
  void showReview();
  void showComparison();
  // The model of the current prediction's run is asked again; or a question of one's own.
  void showTry(bool own);
  // Asks for a file name where it is empty; the recipe is kept in the project.
  void exportFigure(const QString& file = {});
  void exportTable(const QString& file = {});
  // The help pages of what is in view.
  void showHelp();
  bool loading() const;

  // The n-th category that a person may give, from 0.
  void setCategory(int number);
  void clearCategory();
  void goWrong(int direction);
  bool undo() override;
  bool redo() override;
  bool focusFilter() override;
  QList<QWidget*> places() const override;
  void keep() override;
  QByteArray saveView() const override;
  void restoreView(const QByteArray& view) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 Q_SIGNALS:
  void changed();  // page or review is another one: actions follow

 private:
  static constexpr const char* kOpening = "errors";  // the owner of its jobs
  void makePages();
  QWidget* makeReviewPage();
  void fitParts();
  void connectOpenPage();
  void bindActions();
  void bindTries();
  void connectKinds();
  bool kindShown() const;
  bool backToStored();
  Page home() const;  // what is open
  void browseKind(const QString& field);
  void connectPanels();
  void showSql();
  void connectHypotheses();
  void comparePairs();
  void pickSelection(const QString& selection);
  void browse(const QString& field);
  void askColumns(const QStringList& files);
  void show(Page page);
  void showProgress(const ProgressUpdate& update);
  Json savePlace() const;
  Page returnToPlace();
  void load(const ReviewKind& kind, std::function<Result<ReviewSources>()> sources);
  void taken(const ReviewKind& kind, Result<std::unique_ptr<OpenReview>> result);
  void opened(std::shared_ptr<OpenReview> open);
  ProjectService* m_service;
  JobCenter* m_jobs;
  MessageBar* m_messages;
  FileChoice* m_files;
  ReviewTalk m_talk;
  QWidget* m_window;
  ReviewedPredictions* m_review;
  PredictionTableModel* m_model;
  QWidget* m_widget;
  QTabBar* m_tabs;
  QStackedWidget* m_pages;
  EmptyState* m_empty;
  ProgressPage* m_progress;
  OpenPredictionsPage* m_openPage;
  QSplitter* m_columns;  // predictions | what one of them is
  PredictionPanel* m_predictions;
  QSplitter* m_detail;  // above: example | schema; below: results
  QSplitter* m_above;
  NaturalSplit *m_columnsFit = nullptr, *m_detailFit = nullptr;
  ExamplePanel* m_example;
  SchemaPanel* m_schema;
  ResultsPanel* m_results;
  SideOrTab *m_schemaPlace = nullptr, *m_resultsPlace = nullptr;
  HypothesisPanel* m_hypotheses;  // a tab of the example
  ComparisonPanel* m_comparison;
  TryPanel* m_try;
  KindOpenPage* m_openKind;
  KindReviewPage* m_kind;
  QueryRunner* m_runner;
  PredictionTries* m_tries;
  HypothesisLoader* m_loader;
  Json m_place;  // where the last session was, until its predictions are open
  struct HandedOver {
    QString project;
    std::shared_ptr<OpenReview> open;
  };
  HandedOver m_handed;  // until it comes into view
  SelectionModel* m_selection;
  ErrorsActions* m_actions;
  QString m_asked;  // the project whose last review was asked for
  Page m_back = kEmpty;
};

}  // namespace fathom
