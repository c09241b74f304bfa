// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>

#include "views/look/qt_names.h"
#include "views/tables/reviewed_predictions.h"

namespace fathom {

class ElidedLabel;
class HelpText;
class JudgementBar;
class JudgementHistory;
class NaturalSplit;
class NoteLines;

// The current example of a review of any kind: its texts, the right answer, the answers of all models side by
// side with what differs from gold marked, what program and people say and said. One example can be pinned
// beside it to be compared.
class TextExamplePanel : public QWidget {
  Q_OBJECT
 public:
  // `review` is borrowed.
  explicit TextExamplePanel(ReviewedPredictions* review, QWidget* parent = nullptr);
  // Buttons beside the heading: previous, next, pin. Those that judge are the bar's.
  void setActions(const QList<QAction*>& actions);
  JudgementBar* judgementBar() const { return m_bar; }
  // The current example stays in view beside others; again: no longer.
  void togglePin();
  int pinned() const { return m_pinned; }
  HelpText* text() const { return m_text; }
  JudgementHistory* history() const { return m_history; }
  NoteLines* notes() const { return m_notes; }
  // The document of an example: what is shown, as HTML.
  QString html(int example) const;

 Q_SIGNALS:
  void failed(const fathom::Error& error);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  QWidget* makeBottom();
  void showExample();
  void showJudgements();
  QString textsHtml(const ReviewExample& example, int index) const;
  QString optionsHtml(const ReviewExample& example, int index) const;
  QString answersHtml(const ReviewExample& example, int index) const;
  QString numbersText(int model, int index) const;
  ReviewedPredictions* m_review;
  int m_example = -1, m_pinned = -1;
  ElidedLabel* m_head;
  QHBoxLayout* m_headButtons;
  JudgementBar* m_bar;
  QSplitter* m_sides;
  NaturalSplit* m_split = nullptr;
  HelpText* m_text;
  HelpText* m_pinnedText;
  QLabel* m_verdict;
  NoteLines* m_notes;
  JudgementHistory* m_history;
};

}  // namespace fathom
