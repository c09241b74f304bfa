// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QMainWindow>
#include <QTimer>
#include <QUndoStack>

#include "app/window/file_choice.h"
#include "app/window/job_center.h"
#include "app/window/project_service.h"
#include "views/selection/selection_model.h"

class QActionGroup;
class QLabel;
class QStackedWidget;

namespace fathom {

class Appearance;
class AttentionActions;
class AttentionWorkspace;
class CommandPalette;
class EmptyState;
class ErrorsActions;
class ErrorsWorkspace;
class FiguresActions;
class FiguresWorkspace;
class JobStrip;
class MessageBar;
class RunActions;
class SessionStore;
class TrainWorkspace;
struct Command;

// The window: rail, menus, toolbar and palette made of one set of actions, docks around the workspace, status
// bar, session. Several windows may show one project.
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
  enum class Workspace { Train, Attention, Errors, Figures };
  void showWorkspace(Workspace workspace);
  ProjectService* service() { return &m_service; }
  JobCenter* jobs() { return &m_jobs; }
  MessageBar* messages() const { return m_messages; }
  CommandPalette* palettePopup() const { return m_palette; }
  QAction* action(const QString& id) const { return m_actions.value(id); }
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
  QAction* add(const char* id, const QString& text, const QString& iconName, const QKeySequence& keys,
               std::function<void()> run);
  void makeFileActions();
  void makeEditActions();
  void makeViewActions();
  void makeRunActions();
  QWidget* workspaceWidget() const;
  void makeAttentionActions();
  void makeAttentionMenu();
  AttentionWorkspace* showAttention();
  void makeErrorsActions();
  void makeErrorsMenu();
  ErrorsWorkspace* showErrors();
  void makeFiguresActions();
  void makeFiguresMenu();
  FiguresWorkspace* showFigures();
  void nextPanel();
  void makeHelpActions();
  void makeMenus();
  void addCommands(const char* group, QMenu* menu);
  void fillRecent();
  void makeRail();
  void makeToolbar();
  void makeDocks();
  void makeStatusBar();
  void makePages();
  void defaultLayout();
  // A page (new run, data) has the window to itself; the docks come back with the curves.
  void showDocksFor(int page);
  QByteArray docksToKeep() const;
  void tendTabBars();
  void refreshState();
  void refreshStatus();
  void projectOpened(const QString& path);
  void chooseProject(bool create);
  void dropPaths(const QStringList& paths);
  QString wordOfRun(const QString& uuid) const;
  void runCommand(const Command& command);
  void openSample();
  void about();
  void showPalette();
  void collectActions(QMenu* menu, const QString& path, QVector<QPair<QString, QAction*>>* into) const;
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
  AttentionActions* m_attentionActions;
  AttentionWorkspace* m_attention = nullptr;
  ErrorsActions* m_errorsActions;
  ErrorsWorkspace* m_errors = nullptr;
  FiguresActions* m_figuresActions;
  FiguresWorkspace* m_figures = nullptr;
  Workspace m_workspace = Workspace::Train;
  QStackedWidget* m_centre = nullptr;
  EmptyState* m_welcome = nullptr;
  CommandPalette* m_palette = nullptr;
  JobStrip* m_jobStrip = nullptr;
  QLabel* m_counts = nullptr;
  QLabel* m_device = nullptr;
  QLabel* m_age = nullptr;
  QHash<QString, QAction*> m_actions;
  QHash<QString, QDockWidget*> m_docks;
  QMenu* m_recent = nullptr;
  QTimer m_status;
  bool m_painted = false;
  bool m_docksHidden = false;    // by a page that is not the curves
  QByteArray m_docksBeforePage;  // their state meanwhile; empty: the default layout
};

}  // namespace fathom
