// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QFileSystemWatcher>
#include <QHash>
#include <QObject>
#include <QSet>
#include <QTimer>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "app/runner/queue_start.h"
#include "app/runner/runner_program.h"
#include "app/runner/source_list.h"
#include "app/window/jobs/place_reader.h"
#include "app/window/jobs/project_service.h"
#include "core/library/runs/curve_index.h"
#include "core/library/runs/short_names.h"

namespace fathom {

// The half of ProjectService that works: lives in the service's thread and owns library, index and queue
// there. Answers by the signals of its service.
class ProjectWorker : public QObject {
  Q_OBJECT
 public:
  explicit ProjectWorker(ProjectService* service) : m_service(service) {}
  // Runs `work`; what it throws is reported like any other error and ends nothing but it.
  void guarded(const std::function<void()>& work);
  void open(const QString& path, bool create);
  // Looks for what others have changed. Likely is cheap however many runs there are: the queue, the library,
  // what came to or went from runs/, and runs that have not ended.
  void poll(RunListing::Scope scope = RunListing::Scope::Likely);
  void setNotes(const QString& uuid, const RunNotes& notes);
  void trashRuns(const QStringList& uuids);
  void restoreRuns(const QStringList& uuids);
  void linkRun(const QString& folder);
  void enqueue(const NewRun& run);
  void enqueueGrid(const NewGrid& grid);
  void enqueueScripts(const QueuedGrid& queued);
  void resume(const QString& runFolder);
  void retry(const QVector<ControlledRun>& runs, const QString& place);
  void removeFromQueue(const QStringList& uuids);
  void restoreToQueue(const QStringList& uuids);
  void moveInQueue(const QString& uuid, const QString& before);
  void setQueueSettings(const QueueSettingsView& settings);
  void stop(const ControlledRun& run);
  void abort(const ControlledRun& run);
  void saveCheckpoint(const ControlledRun& run);
  void endFollowing(const QStringList& runFolders);
  void readDetails(const QString& uuid, const QString& runFolder);
  void readHistory(const QString& uuid, const QString& runFolder);
  void readSystem(const QString& uuid, const QString& runFolder, bool grown);

 private:
  void forget();
  void report(const Error& error);
  // True when fine; otherwise the error has been reported.
  bool check(const Status& status);
  void tellWish(const ControlledRun& run, const Status& done, const Phrase& delay);
  bool placeEntries(const QStringList& places, std::vector<QueueEntry>& entries);
  void putIntoQueue(std::vector<QueueEntry> entries, bool atFront, const QueueRecord& record = {});
  struct KnownRun {
    QString folder;
    RunState state = RunState::Queued;
    std::optional<BroughtParts> brought;  // of another program's run
  };
  void everySecond();
  void watch();
  bool readQueue(RunListing::Scope scope);
  void touchWhatWaits();
  void touchWhatWasBrought();
  void touchWhatWasPaused();
  void touchGrids(const std::map<std::string, std::string>& before);
  QString shared(const std::string& word);
  QMap<QString, double> metricMap(const std::map<std::string, double>& values);
  RunItem itemOf(const RunRow& row, const std::map<std::string, std::string>& gridOf);
  RunItem itemOf(const QueueEntry& entry);
  void nameByGrid(RunItem& item);
  void describeSource(const RunRow& row, RunItem& item);
  const RecordedSource& readSource(const std::string& source);
  void collectRuns(RunListing::Scope scope, ProjectChanges& changes);
  void takeRow(const RunRow& row, ProjectChanges& changes);
  void dropRow(const std::string& path, ProjectChanges& changes);
  void collectQueued(ProjectChanges& changes);
  void collectQueue(ProjectChanges& changes);
  void collectGrids(ProjectChanges& changes);
  void collectPlaces(bool queueRead, ProjectChanges& changes);
  void startQueue();
  void goOnFollowing();
  void hearRunner(const std::vector<QueueEntry>& entries);
  ProjectService* m_service;
  std::unique_ptr<ProjectLibrary> m_library;
  std::unique_ptr<CurveIndex> m_index;
  std::unique_ptr<RunListing> m_listing;
  std::unique_ptr<QTimer> m_timer, m_soon;
  std::unique_ptr<QFileSystemWatcher> m_watcher;
  QElapsedTimer m_sinceAll;  // since every folder was looked at
  qint64 m_allCost = 0;      // milliseconds that took
  std::vector<QueueEntry> m_entries;
  PlaceReader m_places;
  QueueSettings m_settings;
  std::string m_queueStamp;                                     // of the queue's folder when it was read
  std::int64_t m_libraryCounter = -1;                           // when the grids were read
  std::optional<std::filesystem::file_time_type> m_verdictsAt;  // of their folder, then
  QSet<QString> m_waiting;                                      // uuids in the queue that nobody has claimed
  QHash<QString, KnownRun> m_known;                             // uuid -> runs with a folder
  QHash<QString, QString> m_uuidAt;                             // folder -> uuid
  bool m_queuedStale = false;                                   // they are to be made anew
  QHash<QString, RunItem> m_queued;                             // uuid -> shown as waiting, without a folder
  QHash<QString, QDateTime>
      m_queuedAt;  // uuid -> when it was put into the queue, as far as it was seen there
  QSet<QString> m_words;
  QHash<QString, QString> m_trashed;              // uuid -> path in trash/
  std::map<std::string, QueueEntry> m_withdrawn;  // uuid -> entry taken out
  std::map<std::string, std::string> m_gridOf;    // run uuid -> grid uuid
  std::map<std::string, RunToName> m_gridNames;   // run uuid -> what its grid calls it
  struct ReadSource {
    std::string stamp;  // of the source's record when it was read
    RecordedSource state;
  };
  std::map<std::string, std::string> m_sourceOf;  // path of a run -> source that is followed, or ""
  std::map<std::string, ReadSource> m_sources;    // by source; a record may be large
  RunnerStart m_runner;                           // started by this window and not known to have ended
  std::unique_ptr<SystemSamples> m_samples;       // of the run that was asked for last
  QString m_samplesOf;                            // its folder
  QString m_queueSeen, m_gridsSeen, m_problemSeen;
};

}  // namespace fathom
