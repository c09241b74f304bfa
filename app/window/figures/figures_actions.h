// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "app/window/workspace_actions.h"

namespace fathom {

class FiguresWorkspace;

// What can be done in the Figures workspace.
class FiguresActions : public WorkspaceActions {
  Q_OBJECT
 public:
  FiguresActions(std::function<FiguresWorkspace*()> workspace, QObject* parent);
  // Enables what makes sense now; null = not made yet.
  void refresh(const FiguresWorkspace* workspace, bool projectOpen);

 private:
  QAction* addFor(const char* id, const QString& text, const QString& iconName, const QKeySequence& keys,
                  const QString& tip, std::function<void(FiguresWorkspace*)> run);
  void makeCompositions();
  void makePanels();
  void makePage();
  std::function<FiguresWorkspace*()> m_workspace;
};

}  // namespace fathom
