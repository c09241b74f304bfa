// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <vector>

#include "app/window/workspace.h"
#include "app/window/workspace_entry.h"
#include "views/look/qt_names.h"

namespace fathom {

class SessionStore;

// The workspaces of a window (workspaces.list) with their actions. All but the first are made when they are
// first asked for: the first painted window does not wait for them. What the session remembers of them is
// theirs. An id is one of the list.
class WindowWorkspaces : public QObject {
  Q_OBJECT
 public:
  WindowWorkspaces(WorkspaceParts parts, SessionStore* session);
  // Stack of the workspaces' widgets; the window owns it.
  QStackedWidget* makeCentre();
  static QString first() { return QString::fromLatin1(workspaceEntries().front().id); }
  // The first, where none has that name.
  QString named(const QString& id) const;

  Workspace* get(const QString& id);
  // As the class that its entry makes.
  template <typename Kind>
  Kind* as(const QString& id) {
    return static_cast<Kind*>(get(id));
  }
  // The keyboard goes to the next part of it.
  void focusNextPlace(const QString& id);
  // Null where it has none.
  WorkspaceActions* actions(const QString& id) const { return slot(id).actions; }
  void keep();   // edits that wait are written
  void reset();  // another project
  void saveViews();
  // What those of a window that goes hold: each one gets its part when it is made.
  void takeOver(WindowWorkspaces& other);
  void refreshActions(bool projectOpen);
  void takeRunList();
  void takeDescription();

 private:
  struct Slot {
    const WorkspaceEntry* entry;
    WorkspaceActions* actions = nullptr;
    Workspace* made = nullptr;
    Workspace::Handing handed = {};  // until it is made
  };
  static void hand(Slot& slot);
  // The first where none has that id.
  std::size_t at(const QString& id) const;
  const Slot& slot(const QString& id) const { return m_slots[at(id)]; }
  WorkspaceParts m_parts;
  SessionStore* m_session;
  QStackedWidget* m_centre = nullptr;
  std::vector<Slot> m_slots;  // as in the list
};

}  // namespace fathom
