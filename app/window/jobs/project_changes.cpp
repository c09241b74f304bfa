// SPDX-License-Identifier: GPL-3.0-or-later
// Changes of a project since the window was last told: runs, queue, grids.
#include <filesystem>
#include <set>

#include "app/requests/grid_trainability.h"
#include "app/runner/engine_description.h"
#include "app/runner/followed_sources.h"
#include "app/runs/training_grid.h"
#include "app/window/jobs/project_worker.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json_members.h"
#include "core/imports/import_entry.h"
#include "core/record/import/foreign_run.h"
#include "views/look/engine_text.h"
#include "views/tables/run_abilities.h"

namespace fathom {

namespace {

Json queueJson(const std::vector<QueueEntry>& entries) {
  Json json = Json::array();
  for (const QueueEntry& entry : entries)
    json.push_back({entry.uuid, entry.claimer.pid, entry.resume, entry.device});
  return json;
}

}  // namespace

// Words that thousands of runs have (states, metrics, presets) are kept once.
QString ProjectWorker::shared(const std::string& word) {
  return *m_words.insert(fromUtf8(word));
}

namespace {

// Describes a run at work in its engine's words.
void describeWork(const RunRow& row, RunItem& item) {
  item.silentMinutes = row.silentMinutes;
  item.remainingSeconds = row.remaining;
  const ScalarSummary::Phase& phase = row.phase;
  if (phase.name.empty() || phase.unit == "updates" || phase.name == "training") return;
  item.doing = engineText(phase.name);
  if (phase.total <= 0) return;
  constexpr int kMostPercent = 99;  // as long as something goes on
  item.doingFraction = qBound(0.0, phase.done / phase.total, 1.0);
  item.doing += QStringLiteral(" %1 %").arg(qMin(int(100 * item.doingFraction), kMostPercent));
}

// "TensorBoard · /path", "fathom.py 1.0 · its group"; "" for a run of ours.
std::string sourceText(const Json& provenance) {
  const std::string from = memberText(provenance, "imported_from");
  if (from.empty()) {
    const std::string writer = runWriter(provenance), group = broughtNotes(provenance).group;
    return writer.empty() || group.empty() ? writer : writer + " · " + group;
  }
  const std::string format = memberText(provenance, "format");
  const ImportEntry* entry = findImport(format);
  const std::string title = entry != nullptr ? entry->title : format;
  const std::string path = memberText(provenance, "source");  // of what is followed
  const std::string place = path.empty() ? from : path;
  return title.empty() ? place : title + " · " + place;
}

}  // namespace

QMap<QString, double> ProjectWorker::metricMap(const std::map<std::string, double>& values) {
  QMap<QString, double> result;
  for (const auto& [name, value] : values) result.insert(result.cend(), shared(name), value);
  return result;
}

RunItem ProjectWorker::itemOf(const RunRow& row, const std::map<std::string, std::string>& gridOf) {
  RunItem item;
  item.uuid = fromUtf8(row.identity.uuid.empty() ? row.path : row.identity.uuid);
  item.name = fromUtf8(row.name);
  item.givenName = fromUtf8(row.notes.name);
  item.folder = fromUtf8(row.path);
  item.state = row.state;
  item.cause = shared(row.cause);
  item.message = phraseText(row.message);
  item.preset = shared(row.preset);
  const auto grid = gridOf.find(row.identity.uuid);
  if (grid != gridOf.end()) item.grid = shared(grid->second);
  if (item.givenName.isEmpty()) nameByGrid(item);
  item.star = row.notes.starred;
  item.colour = qMax(0, row.look);
  item.chosenColour = QColor(fromUtf8(row.notes.colour));
  for (const std::string& tag : row.notes.tags) item.tags.append(shared(tag));
  item.note = fromUtf8(row.notes.notes);
  item.step = row.step;
  item.totalSteps = qMax<std::int64_t>(0, row.totalUpdates);
  item.durationSeconds = row.elapsed;
  if (isLive(row.state)) describeWork(row, item);
  item.created = QDateTime::fromString(fromUtf8(row.identity.created), Qt::ISODateWithMs);
  item.listed = m_queuedAt.value(item.uuid, item.created);
  item.best = metricMap(row.best);
  for (const auto& [name, step] : row.bestStep) item.bestStep.insert(shared(name), step);
  item.last = metricMap(row.last);
  item.metrics = row.identity.metrics;
  item.config = row.options;
  item.origin = shared(importOrigin(row.identity.provenance));
  item.source = shared(sourceText(row.identity.provenance));
  item.attempts = row.attempts;
  if (!item.origin.isEmpty()) describeSource(row, item);
  if (!item.origin.isEmpty() && !item.folder.isEmpty()) item.brought = broughtParts(item.folder);
  m_places.describe(item);
  return item;
}

// The record of a source that many runs are of is read once each time it changed.
void ProjectWorker::describeSource(const RunRow& row, RunItem& item) {
  const auto [known, added] = m_sourceOf.try_emplace(row.path);
  if (added) known->second = followedSourceOf(row.path);
  if (known->second.empty()) return;
  const RecordedSource& state = readSource(known->second);
  item.followed = isLive(row.state);
  if (item.followed)
    item.growth = state.growth;
  else if (state.paused && row.state == RunState::Ended && item.cause.isEmpty())
    item.cause = QStringLiteral("paused");
}

const RecordedSource& ProjectWorker::readSource(const std::string& source) {
  ReadSource& read = m_sources[source];
  const std::string stamp = folderStamp(followRecord(m_library->path(), source));
  if (stamp != read.stamp)
    read = {stamp, recordedSource(m_library->path(), source).value_or(RecordedSource())};
  return read.state;
}

// The record of a source says so, and the folders of its runs may not change with it.
void ProjectWorker::touchWhatWasPaused() {
  for (const auto& [source, read] : m_sources) {
    const bool before = read.state.paused;
    if (readSource(source).paused == before) continue;
    for (const auto& [path, of] : m_sourceOf)
      if (of == source) m_listing->touch(path);
  }
}

void ProjectWorker::nameByGrid(RunItem& item) {
  const auto known = m_gridNames.find(toUtf8(item.uuid));
  if (known == m_gridNames.end()) return;
  item.gridName = shared(known->second.gridName);
  for (const std::string& value : known->second.values) item.gridValues.append(shared(value));
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
  nameByGrid(item);
  item.colour = m_listing->lookOf(entry.uuid, config.ok() ? config->options : Json::object());
  item.created = QDateTime::fromString(fromUtf8(entry.created), Qt::ISODateWithMs);
  item.listed = item.created;
  m_queuedAt.insert(item.uuid, item.created);
  item.attempts = 0;
  if (entry.claimed() && entry.script.given()) item.state = RunState::Running;  // its command writes no run
  m_places.describe(item);
  return item;
}

// True when the queue was read; it is only where its folder has changed.
bool ProjectWorker::readQueue(RunListing::Scope scope) {
  const QueueFolder queue(m_library->path());
  const std::string stamp = folderStamp(queue.path());
  if (stamp == m_queueStamp && scope == RunListing::Scope::Likely) return false;
  std::vector<Error> skipped;
  auto entries = queue.entries(&skipped);
  auto settings = queue.settings();
  if (!entries.ok() || !settings.ok()) {
    report(entries.ok() ? settings.error() : entries.error());
    return false;
  }
  if (!skipped.empty()) report(skipped.front());
  m_entries = std::move(*entries);
  m_settings = std::move(*settings);
  m_queueStamp = stamp;
  return true;
}

// A run that waits for its next attempt is shown as queued: what came to the queue or left it is told anew.
void ProjectWorker::touchWhatWaits() {
  QSet<QString> waiting;
  for (const QueueEntry& entry : m_entries)
    if (!entry.claimed()) waiting.insert(fromUtf8(entry.uuid));
  const QSet<QString> changed = (waiting - m_waiting) + (m_waiting - waiting);
  for (const QString& uuid : changed)
    if (const auto known = m_known.constFind(uuid); known != m_known.cend())
      m_listing->touch(toUtf8(known->folder));
  m_waiting = waiting;
}

// Results may come to the folder of another program's run at any time, long after it has ended.
void ProjectWorker::touchWhatWasBrought() {
  for (const KnownRun& known : std::as_const(m_known))
    if (known.brought && broughtParts(known.folder) != *known.brought) m_listing->touch(toUtf8(known.folder));
}

void ProjectWorker::collectRuns(RunListing::Scope scope, ProjectChanges& changes) {
  touchWhatWaits();
  if (scope == RunListing::Scope::Everything) touchWhatWasBrought();
  touchWhatWasPaused();
  std::set<std::string> also;
  for (const QueueEntry& entry : m_entries)
    also.insert(m_library->runsPath() + "/" + std::filesystem::path(entry.runPath).filename().string());
  const Status told = m_listing->changes(
      scope, also, [&](const RunRow& row) { takeRow(row, changes); },
      [&](const std::string& path) { dropRow(path, changes); });
  if (!told.ok()) report(told.error());
}

void ProjectWorker::takeRow(const RunRow& row, ProjectChanges& changes) {
  RunItem item = itemOf(row, m_gridOf);
  if (m_waiting.contains(item.uuid)) item.state = RunState::Queued;  // waits for its next attempt
  m_known.insert(item.uuid, {item.folder, item.state,
                             item.origin.isEmpty() ? std::nullopt : std::optional(item.brought)});
  m_uuidAt.insert(item.folder, item.uuid);
  m_queued.remove(item.uuid);
  changes.removed.removeAll(item.uuid);  // moved
  changes.runs.append(item);
}

void ProjectWorker::dropRow(const std::string& path, ProjectChanges& changes) {
  const QString uuid = m_uuidAt.take(fromUtf8(path));
  const auto known = m_known.constFind(uuid);
  if (known == m_known.cend() || known->folder != fromUtf8(path)) return;
  m_known.erase(known);
  changes.removed.append(uuid);
}

// Collects the runs that wait and have no folder yet.
void ProjectWorker::collectQueued(ProjectChanges& changes) {
  QSet<QString> present;
  for (const QueueEntry& entry : m_entries) {
    const QString uuid = fromUtf8(entry.uuid);
    if (m_known.contains(uuid)) continue;
    present.insert(uuid);
    const RunItem item = itemOf(entry);
    const auto before = m_queued.constFind(uuid);
    if (before != m_queued.cend() && *before == item) continue;
    m_queued.insert(uuid, item);
    changes.removed.removeAll(uuid);
    changes.runs.append(item);
  }
  (void)m_listing->keepGivenLooks().ok();  // else another time
  for (const QString& uuid : m_queued.keys()) {
    if (present.contains(uuid)) continue;
    m_queued.remove(uuid);
    if (!m_known.contains(uuid)) changes.removed.append(uuid);
  }
}

void ProjectWorker::collectQueue(ProjectChanges& changes) {
  const QueueFolder queue(m_library->path());
  changes.settings.paused = m_settings.paused;
  changes.settings.concurrentCpuRuns = m_settings.concurrentCpuRuns;
  changes.settings.runsPerGpu = m_settings.runsPerGpu;
  for (const std::string& device : m_settings.devices) changes.settings.devices.append(fromUtf8(device));
  changes.runnerPid = queue.runnerPid();
  for (const QueueEntry& entry : m_entries) {
    if (entry.claimed()) {
      // A run left behind by a runner that is gone waits again, unless its engine still works.
      const auto known = m_known.constFind(fromUtf8(entry.uuid));
      const bool live = known != m_known.cend() && isLive(known->state);
      if (changes.runnerPid > 0 || live) ++changes.running;
      if (changes.runnerPid > 0 || live || !queue.orphaned(entry)) continue;
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
  const Json seen = {queueJson(m_entries),  m_settings.paused,  m_settings.concurrentCpuRuns,
                     m_settings.runsPerGpu, m_settings.devices, changes.runnerPid};
  const QString stamp = fromUtf8(seen.dump());
  changes.queueChanged = stamp != m_queueSeen;
  m_queueSeen = stamp;
}

// Runs show their place and what was heard of their job.
void ProjectWorker::collectPlaces(bool queueRead, ProjectChanges& changes) {
  m_places.read(m_entries, m_settings, queueRead);
  for (const std::string& uuid : m_places.changedRuns()) {
    if (const auto known = m_known.constFind(fromUtf8(uuid)); known != m_known.cend())
      m_listing->touch(toUtf8(known->folder));
    m_queuedStale = true;
  }
  changes.placesChanged = m_places.placesChanged();
  changes.places = m_places.places();
  changes.placesProblem = m_places.problem();
  changes.heardChanged = m_places.heardChanged();
  if (changes.heardChanged) changes.heard = m_places.heard();
}

void ProjectWorker::collectGrids(ProjectChanges& changes) {
  const auto counter = m_library->changeCounter();
  const auto judgedAt = verdictsChangedAt(m_library->path());
  if (counter.ok() && *counter == m_libraryCounter && judgedAt == m_verdictsAt) return;
  m_verdictsAt = judgedAt;
  const auto kept = keptVerdicts(m_library->path());
  if (!kept.ok()) report(kept.error());  // the grids are shown without them
  const auto verdicts = kept.ok() ? *kept : std::map<std::string, std::string>();
  const auto grids = m_library->grids();
  if (!grids.ok()) {
    report(grids.error());
    return;
  }
  if (counter.ok()) m_libraryCounter = *counter;
  Json seen = Json::array();
  const auto before = std::exchange(m_gridOf, {});
  m_gridNames =
      grids->empty() ? std::map<std::string, RunToName>() : namesOfGrids(*grids, *askedOptionTitles());
  for (const GridRecord& grid : *grids) {
    GridView view{
        fromUtf8(grid.uuid), fromUtf8(grid.name), gridAxesFromJson(grid.axes), {}, presetOfGrid(grid)};
    for (const std::string& run : grid.runs) {
      view.runs.append(fromUtf8(run));
      m_gridOf[run] = grid.uuid;
      if (const auto judged = verdicts.find(run); judged != verdicts.end()) view.verdicts.insert(*judged);
    }
    changes.grids.append(view);
    seen.push_back({grid.uuid, grid.name, grid.axes, grid.runs, view.preset, view.verdicts});
  }
  const QString stamp = fromUtf8(seen.dump());
  changes.gridsChanged = stamp != m_gridsSeen;
  m_gridsSeen = stamp;
  touchGrids(before);
}

// Runs show the grid they belong to.
void ProjectWorker::touchGrids(const std::map<std::string, std::string>& before) {
  if (before == m_gridOf) return;
  const auto touchChanged = [this](const auto& grids, const auto& others) {
    for (const auto& [run, grid] : grids) {
      const auto other = others.find(run);
      if (other != others.end() && other->second == grid) continue;
      m_listing->touch(toUtf8(m_known.value(fromUtf8(run)).folder));
      m_queuedStale = true;
    }
  };
  touchChanged(before, m_gridOf);
  touchChanged(m_gridOf, before);
}

}  // namespace fathom
