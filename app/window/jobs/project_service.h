// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QThread>
#include <QVector>
#include <functional>
#include <memory>

#include "app/runs/script_request.h"
#include "core/analysis/training/run_grid.h"
#include "core/library/queue/queue_folder.h"
#include "core/library/records/project_library.h"
#include "core/record/events/scalar_reader.h"
#include "core/record/events/system_samples.h"
#include "core/record/runs/run_config.h"
#include "views/panels/form/place_choice.h"
#include "views/panels/train/grid_panel.h"
#include "views/panels/train/queue_panel.h"
#include "views/panels/train/run_details_panel.h"
#include "views/tables/queue_model.h"
#include "views/tables/run_item.h"

namespace fathom {

class ProjectWorker;

// All curves of one run, later attempts superseding what they repeat, and where the events that follow go on.
// Who gets it takes the points out: a long run is in memory once.
struct RunHistory {
  std::vector<ScalarSeries> series;
  std::vector<ScalarSeries> tails;  // what resumed attempts threw away; `series` ends before it
  ScalarsEnd end;
};
using RunHistoryPtr = std::shared_ptr<RunHistory>;

// Changes of the project since the last round.
struct ProjectChanges {
  QVector<RunItem> runs;  // new or changed; runs that wait in the queue are among them
  QStringList removed;
  bool queueChanged = false;
  QVector<QueueRow> queue;  // waiting entries only
  int running = 0;          // claimed entries
  QueueSettingsView settings;
  qint64 runnerPid = 0;
  bool gridsChanged = false;
  QVector<GridView> grids;
  bool placesChanged = false;
  QVector<PlaceView> places;
  QString placesProblem;  // why they cannot be read
  bool heardChanged = false;
  QHash<QString, QDateTime> heard;  // when places with runs of the queue were last heard
};

// An experiment to put into the queue, or a grid of them.
struct NewRun {
  RunConfig config;
  bool atFront = false;
  QString place;                 // id; empty: this machine
  std::int64_t neededBytes = 0;  // of memory, as the engine estimates it; 0 = not known
};
struct NewGrid {
  RunConfig base;  // with the name of the grid
  std::vector<GridAxis> axes;
  std::vector<RunConfig> configs;  // in the order of expandGrid
  QStringList places;              // ids, which share the runs; empty: this machine
};

// A run that somebody does something with.
struct ControlledRun {
  QString uuid, name, folder;
};

// The project as the window sees it. Everything that touches files or SQLite happens in one thread of its
// own, which also looks for changes by others (shell, runner, a second window): at once where the system
// tells them, every second otherwise, ended runs more seldom where there are thousands. Lives in the GUI
// thread; all signals arrive there. Edits are acknowledged by the next `changed`.
class ProjectService : public QObject {
  Q_OBJECT
 public:
  explicit ProjectService(QObject* parent = nullptr);
  ~ProjectService() override;

  // Opens a project folder, or makes one. Answers with opened or openFailed; what was open stays open until
  // then, and where it fails.
  void open(const QString& path, bool create = false);
  const QString& path() const { return m_path; }
  bool isOpen() const { return !m_path.isEmpty(); }
  // `opened` was said: what is begun earlier is taken for the former project's and ends with it.
  bool isReady() const { return m_opened; }
  bool readOnly() const { return m_readOnly; }
  // Looks for changes now instead of at the next round.
  void refresh();

  void setNotes(const QString& uuid, const RunNotes& notes);
  void trashRuns(const QStringList& uuids);
  void restoreRuns(const QStringList& uuids);
  void linkRun(const QString& folder);
  void enqueue(const NewRun& run);
  void enqueueGrid(const NewGrid& grid);
  // Runs of a command, with their grid where the record has a UUID (app/runs/script_request.h).
  void enqueueScripts(const QueuedGrid& queued);
  // As the shell's commands of these names (app/runs/run_control.h).
  void resume(const QString& runFolder);
  // `place`: an id; empty: this machine.
  void retry(const QVector<ControlledRun>& runs, const QString& place = {});
  void stop(const ControlledRun& run);
  void abort(const ControlledRun& run);
  void saveCheckpoint(const ControlledRun& run);
  // Of sources that these runs are written out of.
  void endFollowing(const QStringList& runFolders);
  void removeFromQueue(const QStringList& uuids);
  // Puts entries that were taken out by removeFromQueue back.
  void restoreToQueue(const QStringList& uuids);
  void moveInQueue(const QString& uuid, const QString& before);
  void setQueueSettings(const QueueSettingsView& settings);
  void readDetails(const QString& uuid, const QString& runFolder);
  void readHistory(const QString& uuid, const QString& runFolder);
  // What a run took of its machine; of the run that was asked for last only what has come since is read.
  // `grown`: an answer is wanted only where something has come.
  void readSystem(const QString& uuid, const QString& runFolder, bool grown);
  // Waits until everything asked so far is done (tests, screenshots, closing).
  void drain();

 Q_SIGNALS:
  // Another project has been opened and takes the place of this one (`path`), which is let go of.
  void closing();
  void opened(const QString& path);
  void openFailed(const QString& path, const fathom::Error& error);
  void changed(const fathom::ProjectChanges& changes);
  void problem(const fathom::Error& error);
  void detailsRead(const fathom::RunDetails& details);
  void historyRead(const QString& uuid, const fathom::RunHistoryPtr& history);
  // Thinned to what charts show; null where something was to have come and has not.
  void systemRead(const QString& uuid, const fathom::RunSystemPtr& system);
  // Sources that the project follows and nobody read: a program was started that goes on with them.
  void followingGoesOn(int sources);
  // These experiments were queued (with the name of the first).
  void enqueued(const QStringList& uuids, const QString& name);
  // A run that is trained elsewhere was asked to stop, save or end: `when` it heeds that.
  void wished(const QString& name, const QString& when);

 private:
  friend class ProjectWorker;
  void post(std::function<void(ProjectWorker&)> work);
  void take(const QString& path, bool readOnly);
  void refuse(const QString& path, const Error& error);
  QThread m_thread;
  ProjectWorker* m_worker;
  QString m_path;
  bool m_opened = false;  // m_path is more than asked for
  bool m_readOnly = false;
};

}  // namespace fathom

Q_DECLARE_METATYPE(fathom::ProjectChanges)
Q_DECLARE_METATYPE(fathom::RunDetails)
