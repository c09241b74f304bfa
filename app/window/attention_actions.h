// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QHash>
#include <QObject>
#include <QVector>
#include <functional>

namespace fathom {

class AttentionWorkspace;

// What can be done in the Attention workspace, for menu, buttons and palette. The actions stand in the menus
// before the workspace is made; `workspace` makes it and brings it into view.
class AttentionActions : public QObject {
  Q_OBJECT
 public:
  AttentionActions(std::function<AttentionWorkspace*()> workspace, QObject* parent);
  QAction* action(const QString& id) const { return m_actions.value(id); }
  // In menu order; null = separator.
  const QVector<QAction*>& ordered() const { return m_ordered; }
  // Enables what makes sense now; null = not made yet.
  void refresh(const AttentionWorkspace* workspace);

 private:
  QAction* add(const char* id, const QString& text, const QString& iconName, const QKeySequence& keys,
               const QString& tip, std::function<void()> run);
  std::function<AttentionWorkspace*()> m_workspace;
  QHash<QString, QAction*> m_actions;
  QVector<QAction*> m_ordered;
};

}  // namespace fathom
