// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/workspace_actions.h"

namespace fathom {

// What can be done in the Figures workspace.
class FiguresActions : public WorkspaceActions {
  Q_OBJECT
 public:
  explicit FiguresActions(QObject* parent);

 private:
  void makeCompositions();
  void makePanels();
  void makePage();
};

}  // namespace fathom
