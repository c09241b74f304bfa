// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeWidget>

#include "views/tables/run_item.h"

namespace fathom {

// Scores of a run: best (with its update) and latest of each metric, what is measured while training first.
// Digits of a column stand below each other; a tool tip has a number in full.
class RunScores : public QTreeWidget {
  Q_OBJECT
 public:
  explicit RunScores(QWidget* parent);
  void setScores(const RunItem& run);
  bool isEmpty() const { return topLevelItemCount() == 0; }

 private:
  void addScores(const RunItem& run, const QStringList& names);
  void alignScores();
  void breakTitles();
  int scoresWidth() const;
};

}  // namespace fathom
