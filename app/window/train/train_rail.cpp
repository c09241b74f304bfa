// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>

#include "app/window/session/session_keys.h"
#include "app/window/workspace_entry.h"

namespace fathom {

WorkspaceEntry trainRailEntry() {
  return {.id = "train",
          .session = session::kCurves,
          .icon = "train",
          .title = [] { return QCoreApplication::translate("fathom::MainWindow", "&Train"); },
          .tip =
              [] {
                return QCoreApplication::translate("fathom::MainWindow",
                                                   "Runs, their curves, the queue and the log");
              },
          .make = [](const WorkspaceParts& parts, WorkspaceActions*) { return parts.first; }};
}

}  // namespace fathom
