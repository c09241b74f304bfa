// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>
#include <QWidget>
#include <optional>

#include "core/base/threads/progress.h"
#include "core/spider/inputs/schema_items.h"
#include "core/spider/linking/asked_question.h"
#include "views/look/qt_names.h"
#include "views/tables/sql_predictions.h"

namespace fathom {

class ElidedLabel;
class LinkMatrix;
class ResultsPanel;
class SqlEditor;
class TryHistoryModel;

// What a model answered to one question, as it read it.
struct PredictionTry {
  AskedQuestion asked;    // complete: words and links
  bool ownLinks = false;  // a person set some of them
  QString sql;
  QStringList others;  // the search's next hypotheses
  double score = 0, seconds = 0;
  // Filled by the panel.
  int changedLinks = 0;             // against those that the linking finds for this question
  std::optional<JudgedSql> judged;  // beside gold
  QString results;                  // the same answer as gold: "same", "other"; else empty
};

// A question that a model is asked again: of an example of the review, with its question or its links edited,
// or one of one's own on any database. What it says now stands beside what it said to the original question,
// and every try of the session can be looked at again. Knows no run and asks nobody: see predictRequested().
class TryPanel : public QWidget {
  Q_OBJECT
 public:
  // `review` is borrowed.
  explicit TryPanel(ReviewedPredictions* review, QWidget* parent = nullptr);
  void setActions(QAction* predict, QAction* original, QAction* own);
  // The example of a model, or (-1) a question of one's own. Tries of the one before are forgotten, unless it
  // is the same.
  void setSubject(int model, int example);
  int model() const { return m_model; }
  int example() const { return m_example; }
  // Empty: without a question, tries or results.
  void clear();

  // The question as it is edited: with links where a person changed some of this very question.
  AskedQuestion asked() const;
  // Another database, for a question of one's own.
  void setDatabase(const QString& database);
  void addTry(PredictionTry made);
  const QVector<PredictionTry>& tries() const { return m_tries; }
  int shownTry() const { return m_shown; }
  void showTry(int index);
  // Question and links of the first try again.
  void showOriginal();
  // Takes what running a try beside gold has shown.
  void weigh(int index, const ExecutionEvidence& evidence);
  // One step back: what was typed since the try that is shown, else the try before it.
  void undo();
  void redo();

  void showBusy(const ProgressUpdate& update);
  void showIdle();
  void showProblem(const QString& text);
  bool busy() const { return m_busy; }

  QLineEdit* questionEdit() const { return m_question; }
  LinkMatrix* links() const { return m_links; }
  QTableView* history() const { return m_history; }
  ResultsPanel* results() const { return m_results; }
  // The two queries that are shown; the first is empty where there is none.
  QString beforeSql() const;
  QString nowSql() const;
  // The gold query; empty for a question of one's own.
  QString goldSql() const;

 Q_SIGNALS:
  // The shown try, or the first query beside it, is another one.
  void tryShown();
  void cancelRequested();
  void questionEdited();

 private:
  void fitHistory();
  QWidget* makeHead();
  QWidget* makeSides();
  const SpiderSchema* schema() const;
  bool edited() const;
  bool touched() const;
  void fillDatabases();
  void showLinks(const PredictionTry* shown);
  void showQueries();
  void showAnother();
  void showSides(const QString& before, const QString& now);
  void showState();
  void judge(PredictionTry& made, const std::optional<ExecutionEvidence>& evidence) const;
  QVector<quint8> foundLinks(const AskedQuestion& asked) const;
  ReviewedPredictions* m_review;
  int m_model = -1, m_example = -1, m_shown = -1;
  bool m_busy = false;
  QVector<PredictionTry> m_tries;
  SchemaItems m_items;
  ElidedLabel* m_subject;
  QComboBox* m_database;
  QLineEdit* m_question;
  QHBoxLayout* m_buttons;
  QLabel* m_state;
  QWidget* m_waiting;
  QLabel* m_progressText;
  QProgressBar* m_progress;
  QLabel* m_problem;
  LinkMatrix* m_links;
  TryHistoryModel* m_historyModel;
  QTableView* m_history;
  QSplitter* m_sides;
  ElidedLabel* m_beforeTitle;
  ElidedLabel* m_nowTitle;
  SqlEditor* m_before;
  SqlEditor* m_now;
  QLabel* m_beforeVerdict;
  QLabel* m_nowVerdict;
  ResultsPanel* m_results;
};

}  // namespace fathom
