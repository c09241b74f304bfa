// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "app/window/workspace_actions.h"

namespace fathom {

class AttentionWorkspace;

// What can be done in the Attention workspace.
class AttentionActions : public WorkspaceActions {
  Q_OBJECT
 public:
  AttentionActions(std::function<AttentionWorkspace*()> workspace, QObject* parent);
  // Enables what makes sense now; null = not made yet.
  void refresh(const AttentionWorkspace* workspace);

 private:
  std::function<AttentionWorkspace*()> m_workspace;
};

}  // namespace fathom
