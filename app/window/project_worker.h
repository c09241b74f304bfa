// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QSet>
#include <QTimer>
#include <functional>
#include <map>
#include <memory>

#include "app/runner.h"
#include "app/window/project_service.h"
#include "core/library/curve_index.h"

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
  void poll();
  void setNotes(const QString& uuid, const RunNotes& notes);
  void trashRuns(const QStringList& uuids);
  void restoreRuns(const QStringList& uuids);
  void linkRun(const QString& folder);
  void enqueue(const QVector<NewRun>& runs, GridRecord grid);
  void resume(const QString& runFolder);
  void removeFromQueue(const QStringList& uuids);
  void restoreToQueue(const QStringList& uuids);
  void moveInQueue(const QString& uuid, const QString& before);
  void setQueueSettings(const QueueSettingsView& settings);
  void control(const QString& uuid, const QString& runFolder, const QString& command);
  void readDetails(const QString& uuid, const QString& runFolder);
  void readSeries(const QString& uuid, const QString& runFolder);

 private:
  void report(const Error& error);
  // True when fine; otherwise the error has been reported.
  bool check(const Status& status);
  QVector<RunItem> listRuns(const std::vector<QueueEntry>& entries);
  RunItem itemOf(const RunRow& row, const std::map<std::string, std::string>& gridOf);
  RunItem itemOf(const QueueEntry& entry);
  void collectRuns(const std::vector<QueueEntry>& entries, ProjectChanges& changes);
  void collectQueue(const std::vector<QueueEntry>& entries, ProjectChanges& changes);
  void collectGrids(ProjectChanges& changes);
  void startQueue();
  void hearRunner(const std::vector<QueueEntry>& entries);
  int colourOf(const QString& uuid);
  ProjectService* m_service;
  std::unique_ptr<ProjectLibrary> m_library;
  std::unique_ptr<CurveIndex> m_index;
  std::unique_ptr<RunListing> m_listing;
  std::unique_ptr<QTimer> m_timer;
  QHash<QString, RunItem> m_known;
  QHash<QString, int> m_colours;
  QHash<QString, QString> m_trashed;              // uuid -> path in trash/
  std::map<std::string, QueueEntry> m_withdrawn;  // uuid -> entry taken out
  std::map<std::string, std::string> m_gridOf;    // run uuid -> grid uuid
  RunnerStart m_runner;                           // started by this window and not known to have ended
  QString m_queueSeen, m_gridsSeen, m_problemSeen;
};

}  // namespace fathom
