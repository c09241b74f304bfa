// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/train/drawn_runs.h"

#include <QSet>
#include <algorithm>

#include "views/tables/run_eyes.h"
#include "views/tables/run_table_model.h"

namespace fathom {

DrawnRuns drawnRuns(const RunTableModel& model, const DimensionSelection& selection) {
  DrawnRuns drawn;
  const RunEyes& eyes = *model.eyes();
  const auto draw = [&drawn](const RunItem& run) {
    if (drawn.runs.size() < RunEyes::kMost) {
      drawn.runs.append(run);
    } else {
      ++drawn.left;
    }
  };
  drawn.current = selection.current;
  for (const QString& uuid : selection.items) {
    const RunItem* run = model.run(uuid);
    if (run == nullptr) continue;
    drawn.selected.append(uuid);
    if (eyes.isOpen(uuid)) {
      draw(*run);
    } else {
      drawn.hidden.append(model.shownName(uuid));
    }
  }
  const QSet<QString> selected(drawn.selected.cbegin(), drawn.selected.cend());
  QVector<const RunItem*> others;
  for (const RunItem& run : model.runs())
    if (eyes.isOpen(run.uuid) && !selected.contains(run.uuid)) others.append(&run);
  const qsizetype tooMany = std::max<qsizetype>(0, others.size() - (RunEyes::kMost - drawn.runs.size()));
  drawn.left += static_cast<int>(tooMany);  // the oldest
  for (const RunItem* run : others.mid(tooMany)) drawn.runs.append(*run);
  return drawn;
}

}  // namespace fathom
