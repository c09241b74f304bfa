// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QHash>
#include <QObject>
#include <QVector>
#include <array>
#include <functional>

namespace fathom {

class ErrorsWorkspace;

// What can be done in the Errors workspace, as actions for menu, toolbar, context menu and palette. Keys
// without Ctrl work inside the page only, so that they can be typed elsewhere. The actions stand in the menus
// before the workspace is made; `workspace` makes it and brings it into view.
class ErrorsActions : public QObject {
  Q_OBJECT
 public:
  ErrorsActions(std::function<ErrorsWorkspace*()> workspace, QObject* parent);
  QAction* action(const QString& id) const { return m_actions.value(id); }
  // In menu order; null = separator.
  const QVector<QAction*>& ordered() const { return m_ordered; }
  // The keys 1 … 4.
  std::array<QAction*, 4> categories() const;
  // Enables what makes sense now; null = not made yet. Opening is the main window's to enable.
  void refresh(const ErrorsWorkspace* workspace);

 private:
  QAction* add(const char* id, const QString& text, const QString& iconName, const QKeySequence& keys,
               const QString& tip, std::function<void()> run);
  void makeOpening();
  void makeReviewing();
  void makeLooking();
  std::function<ErrorsWorkspace*()> m_workspace;
  QHash<QString, QAction*> m_actions;
  QVector<QAction*> m_ordered;
};

}  // namespace fathom
