// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QHash>
#include <QObject>
#include <QVector>
#include <functional>

namespace fathom {

class FiguresWorkspace;

// What can be done in the Figures workspace, as actions for menu, buttons, context menu and palette. Keys
// work inside the page only. The actions stand in the menu before the workspace is made; `workspace` makes it
// and brings it into view.
class FiguresActions : public QObject {
  Q_OBJECT
 public:
  FiguresActions(std::function<FiguresWorkspace*()> workspace, QObject* parent);
  QAction* action(const QString& id) const { return m_actions.value(id); }
  QList<QAction*> actions(std::initializer_list<const char*> ids) const;
  // In menu order; null = separator.
  const QVector<QAction*>& ordered() const { return m_ordered; }
  // Enables what makes sense now; null = not made yet.
  void refresh(const FiguresWorkspace* workspace, bool projectOpen);

 private:
  QAction* add(const char* id, const QString& text, const QString& iconName, const QKeySequence& keys,
               const QString& tip, std::function<void(FiguresWorkspace*)> run);
  void makeCompositions();
  void makePanels();
  void makePage();
  std::function<FiguresWorkspace*()> m_workspace;
  QHash<QString, QAction*> m_actions;
  QVector<QAction*> m_ordered;
};

}  // namespace fathom
