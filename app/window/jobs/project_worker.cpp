// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/jobs/project_worker.h"

#include <QFileInfo>
#include <set>

#include "app/runner/engine_description.h"
#include "app/runner/followed_sources.h"
#include "app/runner/place_list.h"
#include "app/runner/runner_program.h"
#include "app/runs/run_control.h"
#include "app/runs/training_grid.h"
#include "app/runs/training_request.h"
#include "app/window/jobs/run_details_reader.h"
#include "core/base/threads/error_boundary.h"
#include "core/library/runs/run_trash.h"
#include "core/record/runs/project_folder.h"
#include "core/record/runs/run_lock.h"
#include "views/look/engine_text.h"

namespace fathom {

namespace {

constexpr int kPollMilliseconds = 1000;
constexpr int kSoonMilliseconds = 50;
constexpr qint64 kCostShare = 1000;
constexpr qint64 kLongestMilliseconds = 300000;

ControlTarget targetOf(const ControlledRun& run) {
  return {toUtf8(run.uuid), toUtf8(run.name), toUtf8(run.folder)};
}

}  // namespace

void ProjectWorker::report(const Error& error) {
  // A problem that lasts is said once, not every second.
  const QString text = phraseText(error.phrase());
  if (text == m_problemSeen) return;
  m_problemSeen = text;
  Q_EMIT m_service->problem(error);
}

void ProjectWorker::guarded(const std::function<void()>& work) {
  if (const auto thrown = errorThrownBy(work)) report(*thrown);
}

bool ProjectWorker::check(const Status& status) {
  m_problemSeen.clear();
  if (!status.ok()) report(status.error());
  return status.ok();
}

void ProjectWorker::open(const QString& path, bool create) {
  ProjectService* service = m_service;
  auto library = create ? ProjectLibrary::openOrCreate(toUtf8(path)) : ProjectLibrary::open(toUtf8(path));
  if (!library.ok()) {
    QMetaObject::invokeMethod(
        service, [service, path, error = library.error()] { service->refuse(path, error); },
        Qt::QueuedConnection);
    return;
  }
  forget();
  m_library = std::move(library).value();
  m_places.open(toUtf8(path));
  auto index = CurveIndex::open(toUtf8(path));
  if (index.ok()) m_index = std::move(index).value();
  m_listing = std::make_unique<RunListing>(*m_library, m_index.get());
  QMetaObject::invokeMethod(
      service, [service, path, readOnly = m_library->readOnly()] { service->take(path, readOnly); },
      Qt::QueuedConnection);
  poll(RunListing::Scope::Everything);
  goOnFollowing();
  m_timer = std::make_unique<QTimer>();
  connect(m_timer.get(), &QTimer::timeout, this, [this] { guarded([this] { everySecond(); }); });
  m_timer->start(kPollMilliseconds);
  watch();
}

// Everything of the project that was open.
void ProjectWorker::forget() {
  m_timer.reset();
  m_soon.reset();
  m_watcher.reset();
  m_listing.reset();
  m_index.reset();
  m_library.reset();
  m_known.clear();
  m_sourceOf.clear();
  m_sources.clear();
  m_uuidAt.clear();
  m_queued.clear();
  m_queuedAt.clear();
  m_waiting.clear();
  m_entries.clear();
  m_queueStamp.clear();
  m_libraryCounter = -1;
  m_queueSeen.clear();
  m_runner = {};
  m_gridsSeen.clear();
  m_samples.reset();
}

// The system tells what comes and goes at once, where it can; the rounds find the rest (a network home tells
// nothing).
void ProjectWorker::watch() {
  m_soon = std::make_unique<QTimer>();
  m_soon->setSingleShot(true);
  m_soon->setInterval(kSoonMilliseconds);
  connect(m_soon.get(), &QTimer::timeout, this, [this] { guarded([this] { poll(); }); });
  m_watcher = std::make_unique<QFileSystemWatcher>();
  const auto soon = [this] {
    if (!m_soon->isActive()) m_soon->start();
  };
  connect(m_watcher.get(), &QFileSystemWatcher::directoryChanged, this, soon);
  connect(m_watcher.get(), &QFileSystemWatcher::fileChanged, this, soon);
  const ProjectFolder project(m_library->path());
  m_watcher->addPaths(
      {fromUtf8(project.runsPath()), fromUtf8(project.queuePath()), fromUtf8(project.libraryPath())});
}

// Every folder is looked at as often as that costs a thousandth of the time; small projects each second.
void ProjectWorker::everySecond() {
  const qint64 pause = qBound(qint64(0), m_allCost * kCostShare, kLongestMilliseconds);
  const bool due = !m_sinceAll.isValid() || m_sinceAll.elapsed() >= pause;
  poll(due ? RunListing::Scope::Everything : RunListing::Scope::Likely);
}

void ProjectWorker::poll(RunListing::Scope scope) {
  if (!m_library) return;
  QElapsedTimer clock;
  clock.start();
  const bool queueRead = readQueue(scope);
  hearRunner(m_entries);
  ProjectChanges changes;
  collectPlaces(queueRead, changes);
  collectGrids(changes);
  collectRuns(scope, changes);
  if (queueRead || std::exchange(m_queuedStale, false) || !changes.removed.isEmpty()) collectQueued(changes);
  collectQueue(changes);
  if (scope == RunListing::Scope::Everything) {
    m_allCost = clock.elapsed();
    m_sinceAll.start();
  }
  if (!changes.runs.isEmpty() || !changes.removed.isEmpty() || changes.queueChanged || changes.gridsChanged ||
      changes.placesChanged || changes.heardChanged)
    Q_EMIT m_service->changed(changes);
}

void ProjectWorker::startQueue() {
  const auto started = startRunner(m_library->path());
  if (!started.ok()) return report(started.error());
  m_problemSeen.clear();  // what is wrong still is worth saying again
  if (started->process.pid != 0) m_runner = *started;
}

// A runner that could not work (no engine, another version, no room on the disk) says so only in its log.
void ProjectWorker::hearRunner(const std::vector<QueueEntry>& entries) {
  if (m_runner.process.pid == 0) return;
  const QueueFolder queue(m_library->path());
  const auto complaint = runnerComplaint(m_library->path(), m_runner);
  if (!complaint) return;
  m_runner = {};
  if (queue.runnerPid() != 0) return;
  const auto dropped = [&queue](const QueueEntry& entry) {
    return queue.orphaned(entry) && !runLockHolder(entry.runPath);
  };
  const bool died = std::any_of(entries.begin(), entries.end(), dropped);
  if (entries.empty() || (complaint->empty() && !died)) return;
  const QString why =
      complaint->empty()
          ? ProjectService::tr("What it said last is in %1.").arg(fromUtf8(queue.path() + "/runner.log"))
          : fromUtf8(*complaint);
  report(unavailableError(
      toUtf8(ProjectService::tr("The queue stands still, its runner has ended: %1").arg(why)),
      toUtf8(
          ProjectService::tr("Put that right, then press “Start” in the queue; the runs are still there."))));
}

void ProjectWorker::setNotes(const QString& uuid, const RunNotes& notes) {
  if (!m_library) return;
  const auto before = m_library->setRunNotes(toUtf8(uuid), notes);
  if (!before.ok()) report(before.error());
  poll();
}

void ProjectWorker::trashRuns(const QStringList& uuids) {
  for (const QString& uuid : uuids) {
    const QString folder = m_known.value(uuid).folder;
    if (!m_library || folder.isEmpty()) continue;
    const auto path = trashRun(*m_library, toUtf8(folder));
    if (!path.ok()) {
      report(path.error());
      continue;
    }
    m_trashed.insert(uuid, fromUtf8(*path));
    if (m_index) m_index->forget(toUtf8(folder));
  }
  poll();
}

void ProjectWorker::restoreRuns(const QStringList& uuids) {
  for (const QString& uuid : uuids) {
    if (!m_library || !m_trashed.contains(uuid)) continue;
    const QString trashed = m_trashed.take(uuid);
    if (!QFileInfo::exists(trashed)) {
      // Brought back by another way; or the trash was emptied.
      if (!m_known.contains(uuid))
        report(usageError(Phrase::tr("the run is not in the trash any more: %1")(toUtf8(trashed))));
      continue;
    }
    const auto path = restoreRun(*m_library, toUtf8(trashed));
    if (!path.ok()) report(path.error());
  }
  poll();
}

void ProjectWorker::linkRun(const QString& folder) {
  if (m_library) check(m_library->linkRun(toUtf8(folder)));
  poll();
}

void ProjectWorker::putIntoQueue(std::vector<QueueEntry> entries, bool atFront, const QueueRecord& record) {
  const std::string name = entries.front().config.value("name", "");
  const bool fresh = !entries.front().resume;
  const auto queued = addRuns(m_library->path(), std::move(entries), atFront, record);
  if (!queued.ok()) return report(queued.error());
  startQueue();
  QStringList uuids;
  for (const QueueEntry& entry : *queued) uuids.append(fromUtf8(entry.uuid));
  if (fresh) Q_EMIT m_service->enqueued(uuids, fromUtf8(name));
  poll();
}

// False where a place is not there or takes nothing: it was said.
bool ProjectWorker::placeEntries(const QStringList& places, std::vector<QueueEntry>& entries) {
  std::vector<std::string> ids;
  for (const QString& place : places)
    if (!place.isEmpty()) ids.push_back(toUtf8(place));
  if (ids.empty() || ids == std::vector<std::string>{kLocalPlace}) return true;
  const int here = ids.size() > 1 ? m_places.atOnceHere(m_settings) : 1;
  return check(shareOutEntries(m_library->path(), ids, here, entries));
}

void ProjectWorker::enqueue(const NewRun& run) {
  if (!m_library) return;
  std::vector<QueueEntry> entries = {trainingEntry(m_library->path(), run.config)};
  entries.front().neededBytes = run.neededBytes;
  if (placeEntries({run.place}, entries)) putIntoQueue(std::move(entries), run.atFront);
}

void ProjectWorker::enqueueGrid(const NewGrid& grid) {
  if (!m_library || grid.configs.empty()) return;
  QueuedGrid queued = queuedGrid(m_library->path(), grid.base.name, grid.base, grid.axes, grid.configs);
  if (placeEntries(grid.places, queued.entries))
    putIntoQueue(std::move(queued.entries), false, gridRecord(*m_library, queued.record));
}

void ProjectWorker::enqueueScripts(const QueuedGrid& queued) {
  if (!m_library || queued.entries.empty()) return;
  const bool grid = !queued.record.uuid.empty();
  putIntoQueue(queued.entries, false, grid ? gridRecord(*m_library, queued.record) : QueueRecord());
}

void ProjectWorker::resume(const QString& runFolder) {
  if (!m_library) return;
  auto entry = resumeEntry(m_library->path(), toUtf8(runFolder));
  if (!entry.ok()) return report(entry.error());
  putIntoQueue({std::move(*entry)}, true);
}

void ProjectWorker::retry(const QVector<ControlledRun>& runs, const QString& place) {
  if (!m_library) return;
  const auto engine = describeEngine();
  if (!engine.ok()) return report(engine.error());
  const bool elsewhere = m_places.isElsewhere(place);
  std::vector<QueueEntry> entries;
  for (const ControlledRun& run : runs) {
    auto retry = retryConfig(*engine, m_library->path(), targetOf(run), {}, elsewhere);
    if (!retry.ok()) return report(retry.error());
    retry->config.name = toUtf8(ProjectService::tr("%1 again").arg(run.name));
    entries.push_back(trainingEntry(m_library->path(), retry->config));
  }
  if (!entries.empty() && placeEntries({place}, entries)) putIntoQueue(std::move(entries), false);
}

void ProjectWorker::removeFromQueue(const QStringList& uuids) {
  if (!m_library) return;
  const QueueFolder queue(m_library->path());
  const auto entries = queue.entries();
  if (!entries.ok()) return report(entries.error());
  for (const QueueEntry& entry : *entries) {
    const bool taken = entry.claimed() &&
                       (queue.runnerPid() != 0 || runLockHolder(entry.runPath) || scriptRuns(entry.runPath));
    if (!uuids.contains(fromUtf8(entry.uuid)) || taken) continue;
    if (mayWaitElsewhere(m_library->path(), entry)) {
      const auto given = abortRun(m_library->path(), {entry.uuid, "", entry.runPath});
      check(given.ok() ? Status() : Status(given.error()));
      continue;
    }
    if (check(queue.remove(entry.uuid))) m_withdrawn[entry.uuid] = entry;
  }
  poll();
}

void ProjectWorker::restoreToQueue(const QStringList& uuids) {
  if (!m_library) return;
  for (const QString& uuid : uuids) {
    const auto found = m_withdrawn.find(toUtf8(uuid));
    if (found == m_withdrawn.end()) continue;
    const auto entry = QueueFolder(m_library->path()).add(found->second);
    if (!entry.ok()) report(entry.error());
    m_withdrawn.erase(found);
  }
  startQueue();
  poll();
}

void ProjectWorker::moveInQueue(const QString& uuid, const QString& before) {
  if (m_library) check(QueueFolder(m_library->path()).reorder(toUtf8(uuid), toUtf8(before)));
  poll();
}

void ProjectWorker::setQueueSettings(const QueueSettingsView& wanted) {
  if (!m_library) return;
  const QueueFolder queue(m_library->path());
  auto settings = queue.settings();
  if (!settings.ok()) return report(settings.error());
  settings->paused = wanted.paused;
  settings->concurrentCpuRuns = wanted.concurrentCpuRuns;
  settings->runsPerGpu = wanted.runsPerGpu;
  settings->devices.clear();
  for (const QString& device : wanted.devices) settings->devices.push_back(toUtf8(device));
  if (check(queue.setSettings(*settings)) && !wanted.paused) startQueue();
  poll();
}

// One that is trained elsewhere heeds it later: it is said when.
void ProjectWorker::tellWish(const ControlledRun& run, const Status& done, const Phrase& delay) {
  if (check(done) && !delay.empty()) Q_EMIT m_service->wished(run.name, phraseText(delay));
}

void ProjectWorker::stop(const ControlledRun& run) {
  if (!m_library) return;
  const Phrase delay = wishDelay(m_library->path(), targetOf(run));
  const auto done = stopRun(m_library->path(), targetOf(run));
  tellWish(run, done.ok() ? Status() : Status(done.error()), delay);
}

void ProjectWorker::abort(const ControlledRun& run) {
  if (!m_library) return;
  const Phrase delay = wishDelay(m_library->path(), targetOf(run));
  const auto done = abortRun(m_library->path(), targetOf(run));
  tellWish(run, done.ok() ? Status() : Status(done.error()), delay);
}

void ProjectWorker::saveCheckpoint(const ControlledRun& run) {
  if (!m_library) return;
  const Phrase delay = wishDelay(m_library->path(), targetOf(run));
  tellWish(run, sendControl(toUtf8(run.folder), "checkpoint"), delay);
}

// Several runs may be of one source.
void ProjectWorker::endFollowing(const QStringList& runFolders) {
  if (!m_library) return;
  std::set<std::string> sources;
  for (const QString& folder : runFolders) sources.insert(followedSourceOf(toUtf8(folder)));
  sources.erase("");
  for (const std::string& source : sources) check(fathom::endFollowing(m_library->path(), source));
}

void ProjectWorker::goOnFollowing() {
  if (m_library->readOnly()) return;
  const auto started = startFollowing(m_library->path());
  if (!started.ok()) return report(started.error());
  if (*started > 0) Q_EMIT m_service->followingGoesOn(*started);
}

void ProjectWorker::readDetails(const QString& uuid, const QString& runFolder) {
  Q_EMIT m_service->detailsRead(readRunDetails(uuid, runFolder));
}

// Out of the index where the run has ended, which keeps it for the next time.
void ProjectWorker::readHistory(const QString& uuid, const QString& runFolder) {
  if (!m_index) return;
  auto history = std::make_shared<RunHistory>();
  auto series = m_index->allSeries(toUtf8(runFolder), &history->end);
  if (!series.ok()) return report(series.error());
  history->series = std::move(series).value();
  auto dropped = readDroppedScalars(toUtf8(runFolder));
  if (!dropped.ok()) return report(dropped.error());
  for (ScalarSeries& each : history->series) cutAfter(each, dropped->end);
  history->tails = std::move(dropped->tails);
  Q_EMIT m_service->historyRead(uuid, history);
}

// Charts have no room for more points than they have pixels.
void ProjectWorker::readSystem(const QString& uuid, const QString& runFolder, bool grown) {
  constexpr std::size_t kMostPoints = 800;
  const bool first = !m_samples || m_samplesOf != runFolder;
  if (first) m_samples = std::make_unique<SystemSamples>(toUtf8(runFolder));
  m_samplesOf = runFolder;
  const bool came = m_samples->poll();
  std::shared_ptr<RunSystem> shown;
  if (first || !grown || came) {
    const RunSystem& all = m_samples->samples();
    shown = std::make_shared<RunSystem>();
    shown->machine = all.machine;
    shown->badLines = all.badLines;
    shown->problem = all.problem;
    for (const SystemSeries& series : all.series) shown->series.push_back(thinned(series, kMostPoints));
  }
  Q_EMIT m_service->systemRead(uuid, shown);
}

}  // namespace fathom
