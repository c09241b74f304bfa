// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "app/window/workspace_actions.h"

namespace fathom {

// What can be done in the Errors workspace.
class ErrorsActions : public WorkspaceActions {
  Q_OBJECT
 public:
  explicit ErrorsActions(QObject* parent);
  // The keys 1 … 4.
  std::array<QAction*, 4> categories() const;

 private:
  void makeOpening();
  void makeReviewing();
  void makeLooking();
};

}  // namespace fathom
