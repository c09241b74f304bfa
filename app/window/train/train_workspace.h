// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QSet>
#include <QTimer>
#include <QVector>

#include "app/runner/event_follower.h"
#include "app/window/jobs/project_service.h"
#include "app/window/workspace.h"
#include "core/library/figures/figure_recipe.h"
#include "views/look/qt_names.h"
#include "views/selection/selection_model.h"

namespace fathom {

class DataPage;
class FileChoice;
struct EngineDescription;
class GridPanel;
class JobCenter;
class LogModel;
class LogPanel;
class MessageBar;
struct HandedForm;
class NewRunController;
class NewRunPage;
class QueueModel;
class QueuePanel;
class RunActions;
class RunAlarms;
class RunDetailsPanel;
class RunTableModel;
class RunTablePanel;
class CurveStack;
class ComparePage;
class RunComparer;

// The Train workspace: makes its panels and keeps them in step with the project and with the selected runs of
// the window. The window puts the panels into docks and `pages` into its centre.
class TrainWorkspace : public Workspace {
  Q_OBJECT
 public:
  TrainWorkspace(ProjectService* service, JobCenter* jobs, MessageBar* messages, FileChoice* files,
                 RunActions* actions, SelectionModel* selection, QUndoStack* undo, QWidget* window);

  QStackedWidget* pages() const { return m_pages; }
  RunTablePanel* runs() const { return m_runs; }
  RunDetailsPanel* details() const { return m_details; }
  LogPanel* log() const { return m_log; }
  QueuePanel* queue() const { return m_queue; }
  GridPanel* grid() const { return m_grid; }
  CurveStack* curves() const { return m_curves; }
  RunAlarms* alarms() const { return m_alarms; }
  // The pages of a new run and of its data, made when first asked for: the first painted window does not wait
  // for them.
  NewRunPage* newRunPage();
  NewRunController* newRun();
  // Null until the engine has answered.
  const EngineDescription* engine() const;
  RunTableModel* runModel() const { return m_runModel; }

  void showCurves();
  void showNewRun();
  // The same with the editor of grids open.
  void showNewGrid();
  void showData();
  // The page of a new run, on the data set at `path`.
  void takeData(const QString& path);
  // The selected runs side by side, on a page that is made when first asked for.
  void showComparison();
  // Runs that just came in: selected when they are there, and the curves show all of `metrics` where they
  // are few.
  void showFresh(const QStringList& runs, const QStringList& metrics);
  // Selected when they are there, in place of what a project shows at first; none of them, where none was
  // selected in `project`.
  void wantRuns(const DimensionSelection& runs, const QString& project) {
    m_wanted = runs;
    m_wantedIn = project;
  }
  // The form, the selected runs and the shown page of another window on the same project, which this one is
  // about to open.
  void takeOver(const TrainWorkspace& other);
  // A form that was taken over waits to be made.
  bool isHandedForm() const { return m_handed != nullptr; }
  // The window goes: the form of a new run is taken apart in slices.
  void dropForm();
  // Drops everything of the project that was open.
  void reset() override;
  QWidget* widget() const override;
  // Undo and redo of the form of a new run while it is in view, else of actions on runs.
  bool undo() override;
  bool redo() override;
  void takeRuns(const QStringList& uuids) override;
  QList<QWidget*> places() const override;
  QByteArray saveView() const override;  // of the curves
  void restoreView(const QByteArray& view) override;
  int running() const { return m_running; }
  bool paused() const { return m_paused; }
  int queued() const;
  // Seconds since the last event of any followed run; negative = none yet.
  double lastEventAge() const;

 Q_SIGNALS:
  void countsChanged();
  // A figure of the comparison, for a page of figures.
  void figureRequested(const fathom::FigureRecipe& recipe);
  void engineKnown();
  void runsChanged();

 private:
  // A stack is as wide as its widest page; all pages but the curves have the window to themselves.
  static constexpr QSize kSmallestPage{280, 200};
  // As many as have colours of their own.
  static constexpr int kRunsAtOnce = 7;
  QUndoStack* undoStack() const;
  void connectTables();
  void connectActions();
  void makePages();
  void takeEngine();
  QHash<QString, QString> optionTitles() const;
  void take(const ProjectChanges& changes);
  void takeQueue(const ProjectChanges& changes);
  // That so many runs were queued, and when the first of them begins.
  QString queuedNote(int runs, const QString& name) const;
  void takePlaces(const ProjectChanges& changes);
  void chooseColumns();
  void chooseRuns(bool first, const QString& neighbour);
  bool choose(DimensionSelection wanted);
  void followSelection(Dimension dimension, QObject* source);
  void chooseInCurves(const QStringList& runs);
  void pickInCurves(const QString& uuid, bool toggle);
  void drawCurves();
  void showCurrent(const RunItem* run, bool another);
  void updateFollowed();
  void takeEvents(const EventBatchPtr& batch);
  void takeDetails(const RunDetails& details);
  void makeInitReport(const QString& uuid);
  QVector<RunItem> selectedItems() const;
  QStringList firstRuns() const;
  ProjectService* m_service;
  JobCenter* m_jobs;
  SelectionModel* m_selection;
  QUndoStack* m_undo;
  MessageBar* m_messages;
  FileChoice* m_files;
  RunActions* m_actions;
  RunTableModel* m_runModel;
  QueueModel* m_queueModel;
  LogModel* m_logModel;
  // In the order they are read, which is the order of Tab.
  RunTablePanel* m_runs;
  QStackedWidget* m_pages;
  CurveStack* m_curves;
  RunDetailsPanel* m_details;
  LogPanel* m_log;
  QueuePanel* m_queue;
  GridPanel* m_grid;
  RunAlarms* m_alarms;
  NewRunPage* m_newRun = nullptr;
  DataPage* m_data = nullptr;
  NewRunController* m_controller = nullptr;
  ComparePage* m_compare = nullptr;
  RunComparer* m_comparer = nullptr;
  Json m_draft, m_runOn;                       // of the last session, until the page is made
  std::shared_ptr<const HandedForm> m_handed;  // of a window before this one, until then
  QVector<PlaceView> m_places;
  QString m_placesProblem;
  EventFollower m_follower;
  QTimer m_gridTimer;
  QHash<QString, QString> m_followed;  // uuid -> folder
  DimensionSelection m_wanted;         // to be selected when the project is read
  QString m_wantedIn;
  QString m_current;  // uuid shown in details and log
  QString m_currentFolder;
  std::optional<RunState> m_currentState;
  QHash<QString, QString> m_stderrShown;  // uuid -> what was appended to the log
  double m_lastEvent = 0;                 // seconds since epoch
  int m_running = 0;
  bool m_paused = false;
  bool m_columnsChosen = false;
  bool m_launched = false;  // what is queued next is what the form launched
  bool m_launchedAtFront = false;
  QStringList m_fresh;         // of that: selected when it appears
  bool m_freshAtOnce = false;  // only when all of it is there, as what was imported
};

}  // namespace fathom
