// SPDX-License-Identifier: GPL-3.0-or-later
// What has changed in a project since the window was last told: runs, queue, grids.
#include "app/window/project_worker.h"
#include "core/base/axis_keys.h"
#include "core/record/imported_run.h"
#include "views/figure/figure_colours.h"
#include "views/panels/engine_text.h"
#include "views/tables/run_message.h"

namespace fathom {

namespace {

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

}  // namespace

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
  item.origin = fromUtf8(importOrigin(row.identity.provenance));
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

}  // namespace fathom
