// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <QUndoStack>
#include <array>

#include "app/window/file_choice.h"
#include "app/window/job_center.h"
#include "app/window/project_service.h"
#include "app/window/workspace.h"
#include "views/look/qt_names.h"
#include "views/selection/selection_model.h"

namespace fathom {

class Appearance;
class AttentionWorkspace;
class CommandPalette;
class EmptyState;
class ErrorsWorkspace;
class FiguresWorkspace;
class MessageBar;
class RunActions;
class SessionStore;
class TrainWorkspace;
class WindowActions;
class WindowDocks;
class WindowStatus;
class WorkspaceActions;
struct Command;

// The window: menus, rail, toolbar and palette made of one set of actions (window_actions), docks around the
// workspace (window_docks), status bar, session. It knows the four workspaces by their interface; what is
// beyond that is said where they are made. Several windows may show one project.
class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  // `session` and `appearance` outlive the window.
  MainWindow(SessionStore* session, Appearance* appearance, QWidget* parent = nullptr);
  ~MainWindow() override;

  void openProject(const QString& path, bool create = false);
  // Docks and columns as they were; called before show. The project is opened after the first paint.
  void restoreSession();
  void saveSession();
  // What `other`, which this window stands in for, holds and no file keeps. Before this window is painted.
  void takeOver(const MainWindow& other);
  void resetLayout();
  TrainWorkspace* train() const { return m_train; }
  // Made when first asked for: the first painted window does not wait for it.
  ErrorsWorkspace* errors();
  AttentionWorkspace* attention();
  FiguresWorkspace* figures();
  void showWorkspace(WorkspaceId id);
  ProjectService* service() { return &m_service; }
  JobCenter* jobs() { return &m_jobs; }
  MessageBar* messages() const { return m_messages; }
  CommandPalette* palettePopup() const { return m_palette; }
  QAction* action(const QString& id) const;
  QUndoStack* undoStack() { return &m_undo; }
  SelectionModel* selection() { return &m_selection; }

 Q_SIGNALS:
  // The host makes this window anew in the other language.
  void languageRequested(const QString& id);
  void newWindowRequested();
  void firstPainted();

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  // A workspace, its actions, and how session and menu call it.
  struct Slot {
    const char* name;
    const char* key;
    WorkspaceActions* actions = nullptr;
    Workspace* made = nullptr;
  };
  Slot& slot(WorkspaceId id) { return m_slots[static_cast<std::size_t>(id)]; }
  Workspace* workspace(WorkspaceId id);
  Workspace* make(WorkspaceId id);
  void makeActions();
  void makeMenus();
  void makePages();
  void makeDocks();
  void connectTrain();
  void fillRecent();
  // A page (new run, data) has the window to itself; the docks come back with the curves.
  void showDocksFor(int page);
  void nextPanel();
  void goToFilter();
  void refreshState();
  void projectOpened(const QString& path);
  void chooseProject(bool create);
  void dropPaths(const QStringList& paths);
  QString wordOfRun(const QString& uuid) const;
  void runCommand(const Command& command);
  void openSample();
  void about();
  void showPalette();
  SessionStore* m_session;
  Appearance* m_appearance;
  ProjectService m_service;
  JobCenter m_jobs;
  QUndoStack m_undo;
  SelectionModel m_selection;
  MessageBar* m_messages;
  FileChoice m_files;
  RunActions* m_runActions;
  TrainWorkspace* m_train;
  std::array<Slot, 4> m_slots;  // by WorkspaceId
  WorkspaceId m_shown = WorkspaceId::Train;
  WindowActions* m_actions;
  WindowDocks* m_docks;
  WindowStatus* m_status = nullptr;
  QStackedWidget* m_centre = nullptr;
  EmptyState* m_welcome = nullptr;
  CommandPalette* m_palette;
  QMenu* m_recent = nullptr;
  bool m_painted = false;
};

}  // namespace fathom
