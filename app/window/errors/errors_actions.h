// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/workspace_actions.h"

namespace fathom {

// Actions of the Errors workspace.
class ErrorsActions : public WorkspaceActions {
  Q_OBJECT
 public:
  explicit ErrorsActions(QObject* parent);
  // Actions of all keys, in the order of the keys.
  QList<QAction*> keyed() const;
  // `chosen` is called with the number of the key, from 0.
  void bindKeys(const std::function<void(int)>& chosen);
  // What the keys mean for predictions of another kind; keys without a title are not shown. Without titles:
  // what they mean for SQL.
  void nameKeys(const QStringList& titles, const QStringList& tips);

 private:
  void makeOpening();
  void makeReviewing();
  void makeLooking();
  QStringList m_keyTitles, m_keyTips;  // for SQL
  QStringList m_named;                 // as they are now
};

}  // namespace fathom
