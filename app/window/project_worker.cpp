// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/project_worker.h"

#include <QFile>
#include <QFileInfo>
#include <filesystem>

#include "app/init_report_request.h"
#include "app/runner.h"
#include "app/training_request.h"
#include "core/base/axis_keys.h"
#include "core/base/hash.h"
#include "core/record/run_folder.h"
#include "core/record/run_lock.h"
#include "views/figure/figure_colours.h"
#include "views/panels/engine_text.h"
#include "views/tables/run_message.h"

namespace fathom {

namespace {

constexpr int kPollMilliseconds = 1000;

QMap<QString, double> toMap(const std::map<std::string, double>& values) {
  QMap<QString, double> result;
  for (const auto& [name, value] : values) result.insert(fromUtf8(name), value);
  return result;
}

Json queueJson(const std::vector<QueueEntry>& entries) {
  Json json = Json::array();
  for (const QueueEntry& entry : entries)
    json.push_back({entry.uuid, entry.claimedBy, entry.resume, entry.device});
  return json;
}

// Sizes of all files below a run, relative paths, in order.
QVector<RunDetails::File> filesOf(const std::string& folder) {
  namespace fs = std::filesystem;
  QVector<RunDetails::File> files;
  std::error_code code;
  for (fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, code), end;
       at != end && !code && files.size() < 5000; at.increment(code)) {
    std::error_code ignored;
    if (!at->is_regular_file(ignored)) continue;
    files.append(
        {fromUtf8(fs::relative(at->path(), folder, ignored).string()), qint64(at->file_size(ignored))});
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return files;
}

// The last lines the engine wrote to stderr in its last attempt.
QStringList stderrTail(const RunFolder& folder) {
  constexpr qint64 kTailBytes = 64 * 1024;
  QFile file(fromUtf8(folder.attemptPath(folder.lastAttempt()) + "/stderr.log"));
  if (!file.open(QIODevice::ReadOnly)) return {};
  if (file.size() > kTailBytes) file.seek(file.size() - kTailBytes);
  QStringList lines = QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
  if (file.size() > kTailBytes && !lines.isEmpty()) lines.removeFirst();
  return lines;
}

QString outcomeText(const RunOutcome& outcome) {
  QStringList lines;
  const QString message = runMessageText(outcome.cause, outcome.details, outcome.message);
  if (!message.isEmpty()) lines.append(message);
  if (!outcome.firstModule.empty())
    lines.append(ProjectService::tr("First bad module: %1").arg(fromUtf8(outcome.firstModule)));
  if (outcome.lastFiniteStep > 0 && outcome.state == RunState::Diverged)
    lines.append(ProjectService::tr("Last finite update: %1").arg(outcome.lastFiniteStep));
  if (!outcome.lastGoodCheckpoint.empty())
    lines.append(ProjectService::tr("Last good checkpoint: %1").arg(fromUtf8(outcome.lastGoodCheckpoint)));
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

void ProjectWorker::report(const Error& error) {
  // A problem that lasts is said once, not every second.
  const QString text = fromUtf8(error.text());
  if (text == m_problemSeen) return;
  m_problemSeen = text;
  Q_EMIT m_service->problem(error);
}

bool ProjectWorker::check(const Status& status) {
  m_problemSeen.clear();
  if (!status.ok()) report(status.error());
  return status.ok();
}

void ProjectWorker::open(const QString& path, bool create) {
  m_timer.reset();
  m_listing.reset();
  m_index.reset();
  m_library.reset();
  m_known.clear();
  m_queueSeen.clear();
  m_runner = {};
  m_gridsSeen.clear();
  auto library = create ? ProjectLibrary::openOrCreate(toUtf8(path)) : ProjectLibrary::open(toUtf8(path));
  if (!library.ok()) {
    Q_EMIT m_service->openFailed(path, library.error());
    return;
  }
  m_library = std::move(library).value();
  auto index = CurveIndex::open(toUtf8(path));
  if (index.ok()) m_index = std::move(index).value();
  m_listing = std::make_unique<RunListing>(*m_library, m_index.get());
  const bool readOnly = m_library->readOnly();
  ProjectService* service = m_service;
  QMetaObject::invokeMethod(service, [service, readOnly] { service->m_readOnly = readOnly; });
  Q_EMIT m_service->opened(path);
  poll();
  m_timer = std::make_unique<QTimer>();
  connect(m_timer.get(), &QTimer::timeout, this, &ProjectWorker::poll);
  m_timer->start(kPollMilliseconds);
}

void ProjectWorker::poll() {
  if (!m_library) return;
  const QueueFolder queue(m_library->path());
  std::vector<Error> skipped;
  const auto entries = queue.entries(&skipped);
  if (!entries.ok()) {
    report(entries.error());
    return;
  }
  if (!skipped.empty()) report(skipped.front());
  hearRunner(*entries);
  ProjectChanges changes;
  collectGrids(changes);
  collectRuns(*entries, changes);
  collectQueue(*entries, changes);
  if (!changes.runs.isEmpty() || !changes.removed.isEmpty() || changes.queueChanged || changes.gridsChanged)
    Q_EMIT m_service->changed(changes);
}

void ProjectWorker::startQueue() {
  const auto started = startRunner(m_library->path());
  if (!started.ok()) return report(started.error());
  m_problemSeen.clear();  // what is wrong still is worth saying again
  if (started->pid != 0) m_runner = *started;
}

// A runner that could not work (no engine, another version, no room on the disk) says so only in its log.
void ProjectWorker::hearRunner(const std::vector<QueueEntry>& entries) {
  if (m_runner.pid == 0) return;
  const QueueFolder queue(m_library->path());
  const auto complaint = runnerComplaint(m_library->path(), m_runner);
  if (!complaint) return;
  m_runner = {};
  if (queue.runnerPid() != 0) return;
  const auto dropped = [](const QueueEntry& entry) {
    return QueueFolder::orphaned(entry) && !runLockHolder(entry.runPath);
  };
  const bool died = std::any_of(entries.begin(), entries.end(), dropped);
  if (entries.empty() || (complaint->empty() && !died)) return;
  const QString why =
      complaint->empty()
          ? ProjectService::tr("What it said last is in %1.").arg(fromUtf8(queue.path() + "/runner.log"))
          : fromUtf8(*complaint);
  report(resourceError(
      toUtf8(ProjectService::tr("The queue stands still, its runner has ended: %1").arg(why)),
      toUtf8(
          ProjectService::tr("Put that right, then press “Start” in the queue; the runs are still there."))));
}

int ProjectWorker::colourOf(const QString& uuid) {
  const auto found = m_colours.constFind(uuid);
  if (found != m_colours.constEnd()) return *found;
  const int next = static_cast<int>(m_colours.size());
  m_colours.insert(uuid, next);
  return next;
}

RunItem ProjectWorker::itemOf(const RunRow& row, const std::map<std::string, std::string>& gridOf) {
  RunItem item;
  item.uuid = fromUtf8(row.identity.uuid.empty() ? row.path : row.identity.uuid);
  item.name = fromUtf8(row.name);
  item.givenName = fromUtf8(row.notes.name);
  item.folder = fromUtf8(row.path);
  item.state = QString::fromLatin1(runStateName(row.state)).toLower();
  item.cause = fromUtf8(row.cause);
  item.message = runMessageText(row.cause, row.details, row.message);
  item.preset = fromUtf8(row.preset);
  const auto grid = gridOf.find(row.identity.uuid);
  if (grid != gridOf.end()) item.grid = fromUtf8(grid->second);
  item.star = row.notes.starred;
  item.colour = colourOf(item.uuid);
  item.chosenColour = QColor(fromUtf8(row.notes.colour));
  // A colour of the palette is its index, so that the run has it in both themes and in every figure.
  for (int i = 0; item.chosenColour.isValid() && i < kSeriesColours; ++i)
    if (seriesColour(i, false) == item.chosenColour) item.colour = i;
  for (const std::string& tag : row.notes.tags) item.tags.append(fromUtf8(tag));
  item.note = fromUtf8(row.notes.notes);
  item.step = row.step;
  item.totalSteps = qMax<std::int64_t>(0, row.totalUpdates);
  item.durationSeconds = row.elapsed;
  if (isLiveState(item.state) && item.step > 0 && item.totalSteps > item.step)
    item.remainingSeconds = row.elapsed / double(item.step) * double(item.totalSteps - item.step);
  item.created = QDateTime::fromString(fromUtf8(row.identity.created), Qt::ISODateWithMs);
  item.best = toMap(row.best);
  for (const auto& [name, step] : row.bestStep) item.bestStep.insert(fromUtf8(name), step);
  item.last = toMap(row.last);
  item.config = row.options;
  item.attempts = row.attempts;
  item.search = runSearchText(item);
  return item;
}

RunItem ProjectWorker::itemOf(const QueueEntry& entry) {
  RunItem item;
  item.uuid = fromUtf8(entry.uuid);
  const auto config = runConfigFromJson(entry.config, {});
  if (config.ok()) {
    item.name = fromUtf8(config->name);
    item.preset = fromUtf8(config->preset);
    item.config = config->options;
  }
  if (item.name.isEmpty()) item.name = item.uuid.left(8);
  item.grid = fromUtf8(entry.grid);
  item.colour = colourOf(item.uuid);
  item.created = QDateTime::fromString(fromUtf8(entry.created), Qt::ISODateWithMs);
  item.attempts = 0;
  item.search = runSearchText(item);
  return item;
}

QVector<RunItem> ProjectWorker::listRuns(const std::vector<QueueEntry>& entries) {
  QVector<RunItem> items;
  const auto rows = m_listing->rows();
  if (!rows.ok()) {
    report(rows.error());
    return m_known.values();
  }
  QHash<QString, qsizetype> at;
  for (const RunRow& row : *rows) {
    at.insert(fromUtf8(row.identity.uuid), items.size());
    items.append(itemOf(row, m_gridOf));
  }
  for (const QueueEntry& entry : entries) {
    const auto found = at.constFind(fromUtf8(entry.uuid));
    if (found == at.constEnd()) {
      items.append(itemOf(entry));
    } else if (entry.claimedBy == 0) {
      items[*found].state = QStringLiteral("queued");  // waits for its next attempt
    }
  }
  return items;
}

void ProjectWorker::collectRuns(const std::vector<QueueEntry>& entries, ProjectChanges& changes) {
  const QVector<RunItem> items = listRuns(entries);
  QSet<QString> present;
  for (const RunItem& item : items) {
    present.insert(item.uuid);
    const auto known = m_known.constFind(item.uuid);
    if (known != m_known.constEnd() && *known == item) continue;
    if (m_index && !item.folder.isEmpty() && !isLiveState(item.state))
      (void)m_index->refresh(toUtf8(item.folder)).ok();
    m_known.insert(item.uuid, item);
    changes.runs.append(item);
  }
  for (const QString& uuid : m_known.keys()) {
    if (present.contains(uuid)) continue;
    changes.removed.append(uuid);
    m_known.remove(uuid);
  }
}

void ProjectWorker::collectQueue(const std::vector<QueueEntry>& entries, ProjectChanges& changes) {
  const QueueFolder queue(m_library->path());
  const auto settings = queue.settings();
  if (!settings.ok()) {
    report(settings.error());
    return;
  }
  changes.settings.paused = settings->paused;
  changes.settings.concurrentCpuRuns = settings->concurrentCpuRuns;
  changes.settings.runsPerGpu = settings->runsPerGpu;
  for (const std::string& device : settings->devices) changes.settings.devices.append(fromUtf8(device));
  changes.runnerPid = queue.runnerPid();
  for (const QueueEntry& entry : entries) {
    if (entry.claimedBy != 0) {
      // What a runner that is gone has left behind does not run unless its engine still does: it waits again.
      const auto known = m_known.constFind(fromUtf8(entry.uuid));
      const bool live = known != m_known.cend() && isLiveState(known->state);
      if (changes.runnerPid > 0 || live) ++changes.running;
      if (changes.runnerPid > 0 || live || !QueueFolder::orphaned(entry)) continue;
    }
    const auto config = runConfigFromJson(entry.config, {});
    QueueRow row;
    row.id = fromUtf8(entry.uuid);
    row.name = config.ok() && !config->name.empty() ? fromUtf8(config->name) : row.id.left(8);
    row.preset = config.ok() ? fromUtf8(config->preset) : QString();
    row.device = fromUtf8(entry.device);
    row.kind = entry.resume ? QStringLiteral("resume") : QStringLiteral("train");
    changes.queue.append(row);
  }
  const Json seen = {queueJson(entries),   settings->paused,  settings->concurrentCpuRuns,
                     settings->runsPerGpu, settings->devices, changes.runnerPid};
  const QString stamp = fromUtf8(seen.dump());
  changes.queueChanged = stamp != m_queueSeen;
  m_queueSeen = stamp;
}

void ProjectWorker::collectGrids(ProjectChanges& changes) {
  const auto grids = m_library->grids();
  if (!grids.ok()) {
    report(grids.error());
    return;
  }
  Json seen = Json::array();
  m_gridOf.clear();
  for (const GridRecord& grid : *grids) {
    GridView view{fromUtf8(grid.uuid), fromUtf8(grid.name), {}, {}};
    for (const Json& axis : grid.axes) {
      const std::string key = axis.value("key", "");
      const bool isSeed = key == "seed" || key.ends_with(".seed");
      if (!isSeed) view.varied.append(fromUtf8(axisKeys(key).front()));
    }
    for (const std::string& run : grid.runs) {
      view.runs.append(fromUtf8(run));
      m_gridOf[run] = grid.uuid;
    }
    changes.grids.append(view);
    seen.push_back({grid.uuid, grid.name, grid.axes, grid.runs});
  }
  const QString stamp = fromUtf8(seen.dump());
  changes.gridsChanged = stamp != m_gridsSeen;
  m_gridsSeen = stamp;
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
    const auto path = m_library->trashRun(toUtf8(folder));
    if (!path.ok()) {
      report(path.error());
      continue;
    }
    m_trashed.insert(uuid, fromUtf8(*path));
    if (m_index) check(m_index->forget(toUtf8(folder)));
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
        report(usageError("the run is not in the trash any more: " + toUtf8(trashed)));
      continue;
    }
    const auto path = m_library->restoreRun(toUtf8(trashed));
    if (!path.ok()) report(path.error());
  }
  poll();
}

void ProjectWorker::linkRun(const QString& folder) {
  if (m_library) check(m_library->linkRun(toUtf8(folder)));
  poll();
}

void ProjectWorker::enqueue(const QVector<NewRun>& runs, GridRecord grid) {
  if (!m_library || runs.isEmpty()) return;
  if (!grid.axes.empty()) grid.uuid = makeUuid();
  int queued = 0;
  for (const NewRun& run : runs) {
    const auto entry = enqueueTraining(m_library->path(), run.config, grid.uuid, run.atFront);
    if (!entry.ok()) {
      report(entry.error());
      break;
    }
    grid.runs.push_back(entry->uuid);
    ++queued;
  }
  if (!grid.uuid.empty()) {
    grid.created = isoTimeNow();
    const auto before = m_library->setGrid(grid);
    if (!before.ok()) report(before.error());
  }
  if (queued > 0) startQueue();
  if (queued > 0) Q_EMIT m_service->enqueued(queued, fromUtf8(runs.first().config.name));
  poll();
}

void ProjectWorker::resume(const QString& runFolder) {
  if (!m_library) return;
  const auto entry = enqueueResume(m_library->path(), toUtf8(runFolder));
  if (!entry.ok()) {
    report(entry.error());
    return;
  }
  clearAborted(m_library->path(), entry->uuid);
  startQueue();
  poll();
}

void ProjectWorker::removeFromQueue(const QStringList& uuids) {
  if (!m_library) return;
  const QueueFolder queue(m_library->path());
  const auto entries = queue.entries();
  if (!entries.ok()) return report(entries.error());
  for (const QueueEntry& entry : *entries) {
    const bool taken = entry.claimedBy != 0 && (queue.runnerPid() != 0 || runLockHolder(entry.runPath));
    if (!uuids.contains(fromUtf8(entry.uuid)) || taken) continue;
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

void ProjectWorker::control(const QString& uuid, const QString& runFolder, const QString& command) {
  if (!m_library) return;
  if (command == QLatin1String("abort")) check(markAborted(m_library->path(), toUtf8(uuid)));
  check(sendControl(toUtf8(runFolder), toUtf8(command)));
}

void ProjectWorker::readDetails(const QString& uuid, const QString& runFolder) {
  RunDetails details;
  details.uuid = uuid;
  const RunFolder folder(toUtf8(runFolder));
  if (const auto identity = folder.identity(); identity.ok()) details.provenance = identity->provenance;
  if (const auto outcome = folder.outcome(folder.lastAttempt())) details.outcomeText = outcomeText(*outcome);
  details.files = filesOf(toUtf8(runFolder));
  details.stderrTail = stderrTail(folder);
  details.initReport = recordedInitReport(toUtf8(runFolder));
  Q_EMIT m_service->detailsRead(details);
}

void ProjectWorker::readSeries(const QString& uuid, const QString& runFolder) {
  auto series = readRunScalars(toUtf8(runFolder));
  if (!series.ok()) return report(series.error());
  Q_EMIT m_service->seriesRead(uuid,
                               std::make_shared<const std::vector<ScalarSeries>>(std::move(series).value()));
}

}  // namespace fathom
