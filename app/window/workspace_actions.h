// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QHash>
#include <QObject>
#include <QVector>
#include <functional>
#include <initializer_list>

namespace fathom {

// What can be done in a workspace, as actions for menu, buttons, context menu and palette. Keys work inside
// the workspace's page only, so that they can be typed elsewhere. The actions stand in the menus before the
// workspace is made; what they call makes it and brings it into view.
class WorkspaceActions : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  QAction* action(const QString& id) const { return m_actions.value(id); }
  QList<QAction*> listed(std::initializer_list<const char*> ids) const;
  // In menu order; null = separator.
  const QVector<QAction*>& ordered() const { return m_ordered; }

 protected:
  QAction* add(const char* id, const QString& text, const QString& iconName, const QKeySequence& keys,
               const QString& tip, std::function<void()> run);
  void addSeparator() { m_ordered.append(nullptr); }
  void enable(std::initializer_list<const char*> ids, bool on);

 private:
  QHash<QString, QAction*> m_actions;
  QVector<QAction*> m_ordered;
};

}  // namespace fathom
