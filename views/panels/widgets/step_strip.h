// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QVector>
#include <QWidget>

#include "views/look/qt_names.h"

namespace fathom {

// First steps in one line: they can be clicked, those that were taken are ticked, the next one is in the
// accent, and a button that takes the line away.
class StepStrip : public QWidget {
  Q_OBJECT
 public:
  // `steps`: what each says, and its tool tip.
  StepStrip(const QString& title, const QVector<QPair<QString, QString>>& steps, QWidget* parent = nullptr);
  void setDone(int step, bool done = true);
  // The sentence of the step that was chosen; empty: none was.
  void setSentence(const QString& sentence);
  bool done(int step) const { return m_done.value(step); }
  void startAgain();
  QPushButton* button(int step) const { return m_steps.value(step); }
  QToolButton* closeButton() const { return m_close; }

 Q_SIGNALS:
  void chosen(int step);
  void dismissed();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void refresh();
  QVector<QPushButton*> m_steps;
  QVector<bool> m_done;
  QLabel* m_sentence;
  QToolButton* m_close;
};

}  // namespace fathom
