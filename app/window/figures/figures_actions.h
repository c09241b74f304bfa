// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/workspace_actions.h"

namespace fathom {

// Actions of the Figures workspace.
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
