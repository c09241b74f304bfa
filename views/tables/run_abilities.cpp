// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/run_abilities.h"

#include <QCoreApplication>

#include "core/base/files/path_facts.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

QString whyNoValues(const RunItem& run) {
  if (run.folder.isEmpty())
    return QCoreApplication::translate("RunAbilities", "waits in the queue, has no values yet");
  // A folder that cannot be read is known by its path.
  if (run.uuid != run.folder) return {};
  return run.message.isEmpty() ? QCoreApplication::translate("RunAbilities", "cannot be read") : run.message;
}

QString whyNoStates(const RunItem& run) {
  if (const QString why = whyNoValues(run); !why.isEmpty()) return why;
  // Attention of another program's run is brought (import-attention, fathom.capture).
  if (run.origin.isEmpty() || run.brought.analyses) return {};
  return QCoreApplication::translate("RunAbilities",
                                     "of another program: its values are here, its network is not");
}

BroughtParts broughtParts(const QString& folder) {
  const RunFolder run(folder.toStdString());
  return {folderExists(run.analysesPath()), folderExists(run.predictionsPath())};
}

}  // namespace fathom
