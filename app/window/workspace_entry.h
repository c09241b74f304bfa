// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <functional>
#include <vector>

#include "app/window/workspace_actions.h"
#include "views/look/qt_names.h"

namespace fathom {

struct EngineDescription;
class FileChoice;
class JobCenter;
class MessageBar;
class ProjectService;
class RunTableModel;
class SelectionModel;
class Workspace;

// Parts of the window that a new workspace is given. All are borrowed; `window` owns the widgets.
struct WorkspaceParts {
  QWidget* window;
  ProjectService* service;
  JobCenter* jobs;
  MessageBar* messages;
  FileChoice* files;
  SelectionModel* selection;
  RunTableModel* runs;
  std::function<const EngineDescription*()> engine;  // what it said about itself, null before
  std::function<QList<QAction*>()> firstSteps;       // what there is to do without a run
  Workspace* first;                                  // made with the window: docks and status are about it
};

// An entry of workspaces.list: a place on the rail, reached by Ctrl and its number, with a menu of its own.
struct WorkspaceEntry {
  const char* id;                       // of the action "view.<id>" and its help "<id>.help"
  const char* session;                  // key of what SessionStore keeps of it
  const char* icon;                     // of resources/icons
  std::function<QString()> title = {};  // with its mnemonic, in the language of now
  std::function<QString()> tip = {};
  std::function<QString()> menu = {};  // title of its menu; unset: it has none
  // Stand in the menu before the workspace is made; unset: it has none.
  std::function<WorkspaceActions*(QObject* owner)> actions = {};
  // When it is first asked for. `actions`: what the entry has made.
  std::function<Workspace*(const WorkspaceParts&, WorkspaceActions* actions)> make = {};
};
const std::vector<WorkspaceEntry>& workspaceEntries();

}  // namespace fathom
