// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/jobs/project_service.h"

#include "app/window/jobs/project_worker.h"

namespace fathom {

ProjectService::ProjectService(QObject* parent) : QObject(parent), m_worker(new ProjectWorker(this)) {
  qRegisterMetaType<Error>();
  qRegisterMetaType<ProjectChanges>();
  qRegisterMetaType<RunDetails>();
  qRegisterMetaType<RunHistoryPtr>("fathom::RunHistoryPtr");
  qRegisterMetaType<RunSystemPtr>("fathom::RunSystemPtr");
  m_worker->moveToThread(&m_thread);
  connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
  m_thread.setObjectName(QStringLiteral("project"));
  m_thread.start();
}

ProjectService::~ProjectService() {
  m_thread.quit();
  m_thread.wait();
}

void ProjectService::post(std::function<void(ProjectWorker&)> work) {
  ProjectWorker* worker = m_worker;
  QMetaObject::invokeMethod(
      m_worker, [worker, work = std::move(work)] { worker->guarded([&] { work(*worker); }); },
      Qt::QueuedConnection);
}

void ProjectService::drain() {
  QMetaObject::invokeMethod(
      m_worker, [] {}, Qt::BlockingQueuedConnection);
}

void ProjectService::open(const QString& path, bool create) {
  if (!m_opened) m_path = path;
  post([path, create](ProjectWorker& worker) { worker.open(path, create); });
}

void ProjectService::take(const QString& path, bool readOnly) {
  if (m_opened) Q_EMIT closing();
  m_opened = true;
  m_path = path;
  m_readOnly = readOnly;
  Q_EMIT opened(path);
}

void ProjectService::refuse(const QString& path, const Error& error) {
  if (!m_opened) m_path.clear();
  Q_EMIT openFailed(path, error);
}

void ProjectService::refresh() {
  post([](ProjectWorker& worker) { worker.poll(RunListing::Scope::Everything); });
}

void ProjectService::setNotes(const QString& uuid, const RunNotes& notes) {
  post([uuid, notes](ProjectWorker& worker) { worker.setNotes(uuid, notes); });
}

void ProjectService::trashRuns(const QStringList& uuids) {
  post([uuids](ProjectWorker& worker) { worker.trashRuns(uuids); });
}

void ProjectService::restoreRuns(const QStringList& uuids) {
  post([uuids](ProjectWorker& worker) { worker.restoreRuns(uuids); });
}

void ProjectService::linkRun(const QString& folder) {
  post([folder](ProjectWorker& worker) { worker.linkRun(folder); });
}

void ProjectService::enqueue(const NewRun& run) {
  post([run](ProjectWorker& worker) { worker.enqueue(run); });
}

void ProjectService::enqueueGrid(const NewGrid& grid) {
  post([grid](ProjectWorker& worker) { worker.enqueueGrid(grid); });
}

void ProjectService::enqueueScripts(const QueuedGrid& queued) {
  post([queued](ProjectWorker& worker) { worker.enqueueScripts(queued); });
}

void ProjectService::resume(const QString& runFolder) {
  post([runFolder](ProjectWorker& worker) { worker.resume(runFolder); });
}

void ProjectService::retry(const QVector<ControlledRun>& runs, const QString& place) {
  post([runs, place](ProjectWorker& worker) { worker.retry(runs, place); });
}

void ProjectService::stop(const ControlledRun& run) {
  post([run](ProjectWorker& worker) { worker.stop(run); });
}

void ProjectService::abort(const ControlledRun& run) {
  post([run](ProjectWorker& worker) { worker.abort(run); });
}

void ProjectService::saveCheckpoint(const ControlledRun& run) {
  post([run](ProjectWorker& worker) { worker.saveCheckpoint(run); });
}

void ProjectService::endFollowing(const QStringList& runFolders) {
  post([runFolders](ProjectWorker& worker) { worker.endFollowing(runFolders); });
}

void ProjectService::removeFromQueue(const QStringList& uuids) {
  post([uuids](ProjectWorker& worker) { worker.removeFromQueue(uuids); });
}

void ProjectService::restoreToQueue(const QStringList& uuids) {
  post([uuids](ProjectWorker& worker) { worker.restoreToQueue(uuids); });
}

void ProjectService::moveInQueue(const QString& uuid, const QString& before) {
  post([uuid, before](ProjectWorker& worker) { worker.moveInQueue(uuid, before); });
}

void ProjectService::setQueueSettings(const QueueSettingsView& settings) {
  post([settings](ProjectWorker& worker) { worker.setQueueSettings(settings); });
}

void ProjectService::readDetails(const QString& uuid, const QString& runFolder) {
  post([=](ProjectWorker& worker) { worker.readDetails(uuid, runFolder); });
}

void ProjectService::readHistory(const QString& uuid, const QString& runFolder) {
  post([=](ProjectWorker& worker) { worker.readHistory(uuid, runFolder); });
}

void ProjectService::readSystem(const QString& uuid, const QString& runFolder, bool grown) {
  post([=](ProjectWorker& worker) { worker.readSystem(uuid, runFolder, grown); });
}

}  // namespace fathom
