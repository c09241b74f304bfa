// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeWidget>

#include "core/spider/judgement/spider_error_category.h"

namespace fathom {

// Why the program says what it says: a row per reason with clause, kind, words and rule; what the rule means
// unfolds below the reason that is looked at. The words are wrapped to the width that is there.
class ReasonList : public QTreeWidget {
  Q_OBJECT
 public:
  explicit ReasonList(QWidget* parent = nullptr);
  // `exact`: the metric counts the prediction as right.
  void showReasons(const CategoryVerdict& verdict, bool exact);

 Q_SIGNALS:
  // Number of the reason in the verdict; -1 = none.
  void reasonChosen(int reason);

 private:
  void explainRule(QTreeWidgetItem* item, const CategoryReason& reason);
};

}  // namespace fathom
