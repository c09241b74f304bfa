// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>

#include "views/look/qt_names.h"

namespace fathom {

class FlowLayout;
class ReviewedPredictions;

// The buttons that judge a prediction, all of them beside each other: the categories that a person may give,
// "gold is wrong" among them, and the one that takes a verdict back. It stands above everything whose height
// an example decides, so that no button moves while one goes from example to example.
class JudgementBar : public QWidget {
  Q_OBJECT
 public:
  // `review` is borrowed.
  explicit JudgementBar(ReviewedPredictions* review, QWidget* parent = nullptr);
  // The actions of the keys 1 … 9 and of the key 0; the hidden ones have no button. Borrowed.
  void setActions(const QList<QAction*>& categories, QAction* clear);
  // The buttons as people judged, where one was pressed that judged nothing.
  void markChosen();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void addButton(QAction* action);
  void showIcons();
  ReviewedPredictions* m_review;
  FlowLayout* m_buttons;
  QList<QAction*> m_categories;  // empty: setActions() was not called
};

}  // namespace fathom
