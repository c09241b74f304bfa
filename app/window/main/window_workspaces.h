// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <array>

#include "app/window/workspace.h"
#include "views/look/qt_names.h"

namespace fathom {

class AttentionWorkspace;
class ErrorsWorkspace;
class FiguresWorkspace;
class FileChoice;
class JobCenter;
class MessageBar;
class ProjectService;
class SelectionModel;
class SessionStore;
class TrainWorkspace;
class WorkspaceActions;

// The four workspaces of a window with their actions. All but Train are made when they are first asked for:
// the first painted window does not wait for them. What the session remembers of them is theirs.
class WindowWorkspaces : public QObject {
  Q_OBJECT
 public:
  // All are borrowed; `window` owns the widgets.
  struct Surroundings {
    QWidget* window;
    ProjectService* service;
    JobCenter* jobs;
    MessageBar* messages;
    FileChoice* files;
    SelectionModel* selection;
    SessionStore* session;
    TrainWorkspace* train;
  };
  explicit WindowWorkspaces(const Surroundings& with);
  // Where their widgets go; the window owns it.
  QStackedWidget* makeCentre();
  static QString name(WorkspaceId id);  // "errors"
  // None has that name: Train.
  static WorkspaceId named(const QString& name);
  static constexpr std::array<WorkspaceId, 4> kAll = {WorkspaceId::Train, WorkspaceId::Attention,
                                                      WorkspaceId::Errors, WorkspaceId::Figures};

  Workspace* get(WorkspaceId id);
  // The keyboard goes to the next part of it.
  void focusNextPlace(WorkspaceId id);
  // Whether it was shown once: the others are made when they are.
  bool isMade(WorkspaceId id) const { return m_slots[static_cast<std::size_t>(id)].made != nullptr; }
  ErrorsWorkspace* errors();
  AttentionWorkspace* attention();
  FiguresWorkspace* figures();
  // Null for Train, whose actions are those of runs.
  WorkspaceActions* actions(WorkspaceId id) const { return slot(id).actions; }
  void keep();   // edits that wait are written
  void reset();  // another project
  void saveViews();
  void refreshActions(bool projectOpen);

 private:
  struct Slot {
    const char* key;
    WorkspaceActions* actions = nullptr;
    Workspace* made = nullptr;
  };
  const Slot& slot(WorkspaceId id) const { return m_slots[static_cast<std::size_t>(id)]; }
  Workspace* make(WorkspaceId id);
  Surroundings m_with;
  QStackedWidget* m_centre = nullptr;
  std::array<Slot, 4> m_slots;  // by WorkspaceId
};

}  // namespace fathom
