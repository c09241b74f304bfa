// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QKeySequence>
#include <QList>
#include <QStringList>

#include "core/base/json/json.h"
#include "views/look/qt_names.h"

namespace fathom {

class SessionStore;

// Whether the keys of two actions are listened to at one place, so that neither would be heard: both have
// `keys`, or would have.
bool listenTogether(const QAction* one, const QAction* other);

// Keys that a person chose for actions, by the action's object name, kept in the session ("keys"). An action
// keeps its usual key beside. GUI thread.
class ActionKeys {
 public:
  explicit ActionKeys(SessionStore* session);  // borrowed
  // Takes the action in and gives it the key that was chosen for it. Actions without a name, with several
  // keys or with keys that another part listens to (they stand behind a tab in the text) keep theirs: false.
  bool take(QAction* action);
  const QList<QAction*>& actions() const { return m_actions; }
  QKeySequence usual(const QAction* action) const { return m_usual.value(action); }
  bool isChosen(const QAction* action) const;

  // The action, among all of the window, that already listens to `keys` where `action` does; null: none.
  static QAction* holderOf(const QKeySequence& keys, const QAction* action, const QWidget* window);
  // When all are taken in: where another action listens to a chosen key at the same place, its action keeps
  // the usual one. The texts of these actions.
  QStringList settle(const QWidget* window);
  // Empty keys: none.
  void choose(QAction* action, const QKeySequence& keys);
  void reset(QAction* action);

 private:
  void store();
  SessionStore* m_session;
  Json m_chosen = Json::object();  // id: portable text of the keys
  QList<QAction*> m_actions;
  QHash<const QAction*, QKeySequence> m_usual;
};

}  // namespace fathom
