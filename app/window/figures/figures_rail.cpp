// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>

#include "app/window/figures/figures_actions.h"
#include "app/window/figures/figures_workspace.h"
#include "app/window/session/session_keys.h"
#include "app/window/workspace_entry.h"

namespace fathom {

WorkspaceEntry figuresRailEntry() {
  return {.id = "figures",
          .session = session::kFigures,
          .icon = "figure",
          .title = [] { return QCoreApplication::translate("fathom::MainWindow", "Fi&gures"); },
          .tip =
              [] {
                return QCoreApplication::translate("fathom::MainWindow",
                                                   "Pages of several figures, at print size");
              },
          .menu = [] { return QCoreApplication::translate("fathom::MainWindow", "F&igures"); },
          .actions = [](QObject* owner) -> WorkspaceActions* { return new FiguresActions(owner); },
          .make = [](const WorkspaceParts& with, WorkspaceActions* actions) -> Workspace* {
            return new FiguresWorkspace(with.service, with.jobs, with.messages, with.files, with.selection,
                                        with.runs, static_cast<FiguresActions*>(actions), with.window);
          }};
}

}  // namespace fathom
