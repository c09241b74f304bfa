// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QHash>
#include <QObject>
#include <QVector>
#include <functional>
#include <initializer_list>

namespace fathom {

// Actions of a workspace, for menu, buttons, context menu and palette. Keys work inside
// the workspace's page only, so that they can be typed elsewhere. The actions stand in the menus before the
// workspace is made: one that is triggered has it made and brought into view, and then does what the
// workspace said. Nothing here knows a workspace.
class WorkspaceActions : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  QAction* action(const QString& id) const { return m_actions.value(id); }
  QList<QAction*> listed(std::initializer_list<const char*> ids) const;
  // The first in the menu that exports something (".export" in its id) and can do so now, or null.
  QAction* exportAction() const;
  // In menu order; null = separator.
  const QVector<QAction*>& ordered() const { return m_ordered; }
  // Makes the workspace and brings it into view.
  void setOpener(std::function<void()> open) { m_open = std::move(open); }
  // Gives an action its work; called by the workspace when it is made.
  void bind(const char* id, std::function<void()> run);
  void enable(std::initializer_list<const char*> ids, bool on);
  // Enables the actions that need an open project and nothing else.
  void setProjectOpen(bool open);

 protected:
  QAction* add(const char* id, const QString& text, const QString& iconName, const QKeySequence& keys,
               const QString& tip);
  void addSeparator() { m_ordered.append(nullptr); }
  // Until the workspace says more: all are disabled but `help`, and `withProject` in an open project.
  void disableAllBut(const char* help, std::initializer_list<const char*> withProject);

 private:
  QHash<QString, QAction*> m_actions;
  QVector<QAction*> m_ordered;
  QHash<QString, std::function<void()>> m_runs;
  QStringList m_withProject;
  std::function<void()> m_open;
};

}  // namespace fathom
