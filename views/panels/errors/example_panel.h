// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>
#include <optional>

#include "views/look/qt_names.h"
#include "views/panels/errors/sql_alignment.h"
#include "views/panels/widgets/wrapping_pane.h"
#include "views/tables/sql_predictions.h"

namespace fathom {

class ElidedLabel;
class JudgementBar;
class JudgementHistory;
class ReasonList;
class NaturalSplit;
class NoteLines;
class SqlEditor;

// The current example of a review: question with the words that name tables and columns, gold and predicted
// SQL side by side with their differences, what the program says and why, what people say and said. Both
// queries can be edited to try something: parse, match and category follow at once, and the text is kept as a
// note.
class ExamplePanel : public WrappingPane {
  Q_OBJECT
 public:
  // `review` is borrowed.
  ExamplePanel(ReviewedPredictions* review, QWidget* parent = nullptr);
  // Buttons beside the heading: previous, next, edit. Those that judge are the bar's.
  void setActions(const QList<QAction*>& actions);
  JudgementBar* judgementBar() const { return m_bar; }
  // Editing on or off; off keeps what was typed.
  void setEditing(bool editing);
  bool editing() const { return m_editing; }
  // The two queries have all the room: what is said of them is folded.
  void setAlone(bool alone);
  bool alone() const { return m_alone; }
  // Back to the SQL of the files.
  void revert();
  ReasonList* reasons() const { return m_reasons; }
  JudgementHistory* history() const { return m_history; }
  NoteLines* notes() const { return m_notes; }
  // Why | History; hidden while the queries are alone.
  QTabWidget* tabs() const { return m_tabs; }
  // What running the two texts said: weighs the verdict until one of them is another one.
  void weigh(const ExecutionEvidence& evidence);
  // The two texts as shown, edits included.
  QString goldSql() const { return m_goldSql; }
  QString predictedSql() const { return m_otherSql.isEmpty() ? m_predictedSql : m_otherSql; }
  // The program's judgement of the two texts.
  const JudgedSql& judged() const { return m_judged; }
  QString verdictText() const;
  // False while showInstead() has put another text into the prediction's place.
  bool showsStored() const { return m_otherSql.isEmpty(); }
  // Another text in the prediction's place, beside gold and judged like it, under a name of its own; empty:
  // the prediction again. Nothing of it is kept.
  void showInstead(const QString& sql, const QString& name);
  // Writes edits that wait (before another example is shown, when the window closes).
  void keepEdits();

  // Pixels in which question, queries and reasons, where they are shown, need no scrolling.
  int naturalHeight() const;

 Q_SIGNALS:
  void heightChanged();  // naturalHeight()
  void failed(const fathom::Error& error);
  // One of the two texts is another one: results and schema follow.
  void sqlShown();

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* makeHead();
  QWidget* makeSql();
  void makeTabs();
  void sizeTabs();
  void placeSides();
  void showExample();
  void showTexts();
  void showQuestion();
  void showVerdict();
  void align();
  void takeEdits();
  void markReason(int reason);
  bool edited() const;
  ReviewedPredictions* m_review;
  int m_example = -1, m_model = -1;
  QString m_goldSql, m_predictedSql;
  QString m_otherSql, m_otherName;  // shown in the prediction's place
  JudgedSql m_judged;
  std::optional<ExecutionEvidence> m_evidence;
  AlignedSql m_aligned;
  bool m_editing = false, m_pending = false, m_alone = false;
  bool m_layoutStale = false;  // the lines are those of the text before it was edited
  QTimer m_wait;
  ElidedLabel* m_head;
  QLabel* m_question;
  QLabel* m_goldTitle;
  ElidedLabel* m_predictedTitle;
  SqlEditor* m_gold;
  SqlEditor* m_predicted;
  QLabel* m_editState;
  QToolButton* m_revert;
  int sqlHeight() const;
  NaturalSplit* m_split = nullptr;
  QTimer m_level;  // wrapped lines are level again
  QSplitter* m_sides;
  JudgementBar* m_bar;
  QHBoxLayout* m_headButtons;
  QLabel* m_verdict;
  QTabWidget* m_tabs;
  ReasonList* m_reasons;
  JudgementHistory* m_history;
  NoteLines* m_notes;
};

}  // namespace fathom
