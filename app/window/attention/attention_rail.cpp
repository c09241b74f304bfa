// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>

#include "app/window/attention/attention_actions.h"
#include "app/window/attention/attention_workspace.h"
#include "app/window/session/session_keys.h"
#include "app/window/workspace_entry.h"

namespace fathom {

WorkspaceEntry attentionRailEntry() {
  return {.id = "attention",
          .session = session::kAttention,
          .icon = "attention",
          .title = [] { return QCoreApplication::translate("fathom::MainWindow", "&Attention"); },
          .tip =
              [] {
                return QCoreApplication::translate(
                    "fathom::MainWindow", "Entropy, divergence, dependency, gradients, attention itself");
              },
          .menu = [] { return QCoreApplication::translate("fathom::MainWindow", "Ana&lyse"); },
          .actions = [](QObject* owner) -> WorkspaceActions* { return new AttentionActions(owner); },
          .make = [](const WorkspaceParts& with, WorkspaceActions* actions) -> Workspace* {
            return new AttentionWorkspace(with, static_cast<AttentionActions*>(actions));
          }};
}

}  // namespace fathom
