// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QVector>

#include "views/selection/selection.h"
#include "views/tables/run_item.h"

namespace fathom {

class RunTableModel;

// What the curves show: the runs whose eye is open, those that are selected first in the order of the
// selection, then the others in the order of the project; of too many the newest.
struct DrawnRuns {
  QVector<RunItem> runs;
  QStringList selected;  // UUIDs, whether they are drawn or not; the others are dim beside them
  QString current;       // the one of them that is emphasised
  QStringList hidden;    // names of selected runs whose eye is closed
  int left = 0;          // runs whose eye is open and that are too many to be drawn
};
DrawnRuns drawnRuns(const RunTableModel& model, const DimensionSelection& selection);

}  // namespace fathom
