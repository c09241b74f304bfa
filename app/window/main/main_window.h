// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <QUndoStack>

#include "app/window/files/file_choice.h"
#include "app/window/jobs/job_center.h"
#include "app/window/jobs/project_service.h"
#include "app/window/session/action_keys.h"
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
class ProjectOpener;
class RunActions;
class RunNotice;
class SampleSteps;
class SessionStore;
class TrainWorkspace;
class WindowActions;
class WindowCommands;
class WindowDocks;
class WindowHelp;
class WindowStatus;
class WindowWorkspaces;

// The window: menus, rail, toolbar and palette made of one set of actions (window_actions), docks around the
// workspace (window_docks), status bar, session. What is opened is the ProjectOpener's, what is told the
// WindowHelp's, the dialogs of commands are the WindowCommands'. It knows the four workspaces by their
// interface; what is beyond that is said where they are made (window_workspaces). Several windows may show
// one project.
class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  // `session` and `appearance` outlive the window.
  MainWindow(SessionStore* session, Appearance* appearance, QWidget* parent = nullptr);
  ~MainWindow() override;

  // Answers by service(): a project that cannot be opened leaves the open one as it is.
  void openProject(const QString& path, bool create = false);
  // Docks and columns as they were; called before show. The project is opened after the first paint.
  void restoreSession();
  void saveSession();
  // The same, and the file is written a little later.
  void keepSession();
  // Instead of restoreSession(), before show: takes the place of `other`, whose session was kept, with
  // whatever it holds that no file keeps. The project is opened at once.
  void takeOver(MainWindow& other);
  void resetLayout();
  TrainWorkspace* train() const { return m_train; }
  // Made when first asked for: the first painted window does not wait for it.
  ErrorsWorkspace* errors();
  AttentionWorkspace* attention();
  FiguresWorkspace* figures();
  // One of workspaces.list.
  void showWorkspace(const QString& id);
  ProjectService* service() { return &m_service; }
  JobCenter* jobs() { return &m_jobs; }
  MessageBar* messages() const { return m_messages; }
  CommandPalette* palettePopup() const { return m_palette; }
  QAction* action(const QString& id) const;
  QUndoStack* undoStack() { return &m_undo; }
  SelectionModel* selection() { return &m_selection; }
  SampleSteps* steps() const { return m_steps; }

 Q_SIGNALS:
  // The host makes this window anew in the other language.
  void languageRequested(const QString& id);
  void newWindowRequested();
  void firstPainted();

 protected:
  bool event(QEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  // Those of workspaces.list that the window itself leads to.
  static inline const QString kTrain = QStringLiteral("train"), kAttention = QStringLiteral("attention"),
                              kErrors = QStringLiteral("errors"), kFigures = QStringLiteral("figures");

  void arrangeLikeSession();
  void makeActions();
  void makeMenus();
  void makePages();
  void makeDocks();
  void makeHelpers();
  void connectTrain();
  void connectProject();
  void bindFileActions();
  void exportShown();
  void bindViewActions();
  void bindHelpActions();
  void setTextPercent(int percent);
  // A page (new run, data) has the window to itself; the docks come back with the curves.
  void showDocks();
  void tellPage();
  void goToFilter();
  void helpHere();
  void refreshState();
  void projectOpened(const QString& path);
  void dropRuns(const QStringList& runs);
  void showPalette();
  void takeKeys();
  void showPreferences();
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
  WindowWorkspaces* m_workspaces;
  QString m_shown;
  WindowActions* m_actions;
  ActionKeys m_keys;
  WindowDocks* m_docks;
  WindowStatus* m_status = nullptr;
  ProjectOpener* m_opener;
  WindowCommands* m_commands;
  WindowHelp* m_help;
  SampleSteps* m_steps;
  RunNotice* m_notice;
  QStackedWidget* m_centre = nullptr;
  EmptyState* m_welcome = nullptr;
  CommandPalette* m_palette;
  bool m_painted = false;
  bool m_expects = false;  // the project of the session is about to be opened
};

}  // namespace fathom
