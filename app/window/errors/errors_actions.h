// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <functional>

#include "app/window/workspace_actions.h"

namespace fathom {

class ErrorsWorkspace;

// What can be done in the Errors workspace.
class ErrorsActions : public WorkspaceActions {
  Q_OBJECT
 public:
  ErrorsActions(std::function<ErrorsWorkspace*()> workspace, QObject* parent);
  // The keys 1 … 4.
  std::array<QAction*, 4> categories() const;
  // Enables what makes sense now; null = not made yet. Opening is the main window's to enable.
  void refresh(const ErrorsWorkspace* workspace);

 private:
  void makeOpening();
  void makeReviewing();
  void makeLooking();
  std::function<ErrorsWorkspace*()> m_workspace;
};

}  // namespace fathom
