// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>

#include "app/window/errors/errors_actions.h"
#include "app/window/errors/errors_workspace.h"
#include "app/window/session/session_keys.h"
#include "app/window/workspace_entry.h"

namespace fathom {

WorkspaceEntry errorsRailEntry() {
  return {.id = "errors",
          .session = session::kErrors,
          .icon = "errors",
          .title = [] { return QCoreApplication::translate("fathom::MainWindow", "&Errors"); },
          .tip =
              [] {
                return QCoreApplication::translate("fathom::MainWindow",
                                                   "Predicted SQL, and what is wrong with it");
              },
          .menu = [] { return QCoreApplication::translate("fathom::MainWindow", "E&rrors"); },
          .actions = [](QObject* owner) -> WorkspaceActions* { return new ErrorsActions(owner); },
          .make = [](const WorkspaceParts& with, WorkspaceActions* actions) -> Workspace* {
            return new ErrorsWorkspace(with.service, {with.jobs, with.messages, with.files, with.selection,
                                                      static_cast<ErrorsActions*>(actions), with.window});
          }};
}

}  // namespace fathom
