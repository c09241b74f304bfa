// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QHash>
#include <QPair>
#include <QVector>
#include <functional>
#include <initializer_list>

#include "views/look/qt_names.h"

namespace fathom {

class Appearance;
class EditDeeds;
struct WorkspaceEntry;

// The window's own actions and all others by their ids: one set, from which menus, rail, toolbar and palette
// are made. What an own action does is said by the window (`on`).
class WindowActions : public QObject {
  Q_OBJECT
 public:
  explicit WindowActions(QMainWindow* window, const Appearance& appearance);
  QAction* action(const QString& id) const { return m_actions.value(id); }
  QList<QAction*> all() const { return m_actions.values(); }
  // `run` is called with the word behind the dot of an id of a group ("theme.": "dark").
  void on(const char* id, std::function<void()> run);
  void onGroup(const char* prefix, const std::function<void(const QString&)>& run);
  // Actions of others, so that they are found by id.
  void include(const QVector<QAction*>& actions);
  void enable(std::initializer_list<const char*> ids, bool on);

  // Actions that the menus hold beside the window's own; null = separator.
  struct MenuParts {
    QVector<QAction*> panels, runs;
    // Actions of a workspace's own menu.
    std::function<QVector<QAction*>(const WorkspaceEntry&)> workspace;
    std::function<void(QMenu*)> fillRecent;
  };
  void makeMenus(const MenuParts& parts);
  void refillRecent();
  void makeRail();
  void makeToolbar();
  // All entries of the menus with the path to them.
  QVector<QPair<QString, QAction*>> listed() const;

 private:
  QAction* add(const char* id, const QString& text, const char* iconName = "", const QKeySequence& keys = {},
               const QString& tip = {});
  void makeFileActions();
  void makeEditActions();
  void makeViewActions(const Appearance& appearance);
  void makeOtherActions();
  QMenu* addMenu(const QString& title);
  void fill(QMenu* menu, std::initializer_list<const char*> ids);  // "" = separator
  void fill(QMenu* menu, const QVector<QAction*>& actions);
  void makeViewMenu();
  MenuParts m_parts;
  QMenu* m_recent = nullptr;
  EditDeeds* m_edit = nullptr;
  QMainWindow* m_window;
  QHash<QString, QAction*> m_actions;
};

}  // namespace fathom
