// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/jobs/place_reader.h"

#include <algorithm>
#include <filesystem>

#include "app/runner/device_slots.h"
#include "app/runner/place_journal.h"
#include "app/runner/place_list.h"
#include "app/runner/place_record.h"
#include "core/base/files/path_facts.h"
#include "core/record/runs/attempt_place.h"
#include "views/look/engine_text.h"

namespace fathom {

namespace {

std::string fileStamp(const std::string& path) {
  std::error_code code;
  const auto time = std::filesystem::last_write_time(path, code);
  return code ? "" : std::to_string(time.time_since_epoch().count()) + "," + std::to_string(fileBytes(path));
}

PlaceView viewOf(const ListedPlace& place) {
  PlaceView view;
  view.id = fromUtf8(place.record.id);
  view.launcher = engineText(place.title);
  view.file = fromUtf8(place.record.file);
  view.here = place.record.launcher == kLocalPlace;
  view.running = place.running;
  view.waiting = place.waiting;
  view.most = place.most;
  if (place.trouble) {
    view.trouble = phraseText(place.trouble->messagePhrase());
    view.remedy = phraseText(place.trouble->hintPhrase());
  }
  return view;
}

}  // namespace

void PlaceReader::open(const std::string& project) {
  *this = {};
  m_project = project;
}

std::string PlaceReader::stamp() const {
  return fileStamp(placesFile(m_project)) + " " + fileStamp(userPlacesFile()) + " " +
         folderStamp(QueueFolder(m_project).path() + "/places");
}

// An engine that hangs holds nothing up here: only what it said before counts. Devices do not come and go
// while a window is open.
int PlaceReader::atOnceHere(const QueueSettings& settings) {
  if (!m_engine)
    if (auto engine = describeEngine({.known = true}); engine.ok()) m_engine = std::move(*engine);
  return m_engine ? runsAtOnceHere(*m_engine, settings) : 1;
}

void PlaceReader::read(const std::vector<QueueEntry>& entries, const QueueSettings& settings,
                       bool queueRead) {
  readHeard();
  const std::string now = stamp();
  if (now == m_stamp && !queueRead) return;
  m_stamp = now;
  m_notes = placeNotes(m_project);
  readJobs(entries);
  const QVector<PlaceView> before = m_places;
  const QString problemBefore = m_problem;
  m_places.clear();
  m_problem.clear();
  auto listed = listPlaces(m_project, entries, m_notes, 1);
  if (!listed.ok()) m_problem = phraseText(listed.error().phrase());
  if (listed.ok())
    for (ListedPlace& place : *listed) {
      if (place.record.launcher == kLocalPlace && listed->size() > 1) place.most = atOnceHere(settings);
      m_places.append(viewOf(place));
    }
  m_elsewhere = m_places.size() > 1 || folderExists(QueueFolder(m_project).path() + "/journal");
  m_changed = m_changed || before != m_places || problemBefore != m_problem;
}

void PlaceReader::readHeard() {
  QHash<QString, QDateTime> heard;
  for (const auto& [uuid, job] : m_jobs) {
    const QString place = fromUtf8(job.place);
    if (job.place == kLocalPlace || heard.contains(place)) continue;
    const double at = PlaceJournal(m_project, job.place).heardAt();
    if (at > 0) heard.insert(place, QDateTime::fromMSecsSinceEpoch(qint64(at * 1000)));
  }
  m_heardChanged = m_heardChanged || heard != m_heard;
  m_heard = std::move(heard);
}

bool PlaceReader::heardChanged() {
  return std::exchange(m_heardChanged, false);
}

void PlaceReader::readJobs(const std::vector<QueueEntry>& entries) {
  const auto before = std::exchange(m_jobs, {});
  for (const QueueEntry& entry : entries) {
    const auto note = m_notes.find(entry.uuid);
    m_jobs[entry.uuid] = {entry.place, note == m_notes.end() ? PlaceNote() : note->second};
  }
  const auto differ = [this](const auto& these, const auto& those) {
    for (const auto& [uuid, job] : these)
      if (const auto other = those.find(uuid); other == those.end() || !(other->second == job))
        m_changedRuns.push_back(uuid);
  };
  differ(m_jobs, before);
  differ(before, m_jobs);
}

bool PlaceReader::isElsewhere(const QString& place) const {
  return std::any_of(m_places.cbegin(), m_places.cend(),
                     [&](const PlaceView& each) { return each.id == place && !each.here; });
}

bool PlaceReader::placesChanged() {
  return std::exchange(m_changed, false);
}

std::vector<std::string> PlaceReader::changedRuns() {
  return std::exchange(m_changedRuns, {});
}

namespace {

// One file of its last attempt, which most runs of this machine have from the runner, too.
void describeEnded(RunItem& item) {
  if (item.folder.isEmpty() || item.attempts < 1 || !item.origin.isEmpty()) return;
  const auto place = attemptPlace(RunFolder(toUtf8(item.folder)), item.attempts);
  if (!place || place->place == kLocalPlace) return;
  item.job.place = fromUtf8(place->place);
  item.job.id = fromUtf8(place->job);
}

}  // namespace

void PlaceReader::describe(RunItem& item) const {
  const auto found = m_jobs.find(toUtf8(item.uuid));
  if (found == m_jobs.end()) {
    if (m_elsewhere) describeEnded(item);
    return;
  }
  const Job& job = found->second;
  if (job.place != kLocalPlace) item.job.place = fromUtf8(job.place);
  item.job.id = fromUtf8(job.note.job);
  item.job.state = fromUtf8(job.note.state);
  item.job.reason = phraseText(job.note.words);
  item.job.silentFrom = QDateTime::fromString(fromUtf8(job.note.silentFrom), Qt::ISODate);
}

}  // namespace fathom
