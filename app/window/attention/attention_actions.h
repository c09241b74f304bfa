// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/workspace_actions.h"

namespace fathom {

// Actions of the Attention workspace.
class AttentionActions : public WorkspaceActions {
  Q_OBJECT
 public:
  explicit AttentionActions(QObject* parent);
};

}  // namespace fathom
