// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QHash>
#include <QString>
#include <QVector>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/runner/engine_description.h"
#include "app/runner/place_notes.h"
#include "core/library/queue/queue_folder.h"
#include "views/panels/form/place_choice.h"
#include "views/tables/run_item.h"

namespace fathom {

// Places of a project as its files tell them: who is written down, what the queue has there, what was last
// heard of jobs. It reads files alone and asks no place. One thread.
class PlaceReader {
 public:
  void open(const std::string& project);
  // Looks where something has changed since; `queueRead`: so has the queue.
  void read(const std::vector<QueueEntry>& entries, const QueueSettings& settings, bool queueRead);
  const QVector<PlaceView>& places() const { return m_places; }
  const QString& problem() const { return m_problem; }
  // Places or what is wrong with them are others than at the last call.
  bool placesChanged();
  // Runs whose job or place is another than at the last call, by UUID.
  std::vector<std::string> changedRuns();
  // Place and job of the run, as far as it is in the queue; of one that has ended those of its last attempt.
  void describe(RunItem& item) const;
  // When places with runs of the queue were last heard, and whether that is another time than at the last
  // call.
  const QHash<QString, QDateTime>& heard() const { return m_heard; }
  bool heardChanged();
  // The place of this id does not train on this machine; empty is this machine.
  bool isElsewhere(const QString& place) const;
  // Runs that this machine takes at once.
  int atOnceHere(const QueueSettings& settings);

 private:
  struct Job {
    std::string place;
    PlaceNote note;
    bool operator==(const Job&) const = default;
  };
  std::string stamp() const;
  void readHeard();
  void readJobs(const std::vector<QueueEntry>& entries);
  std::string m_project, m_stamp;
  QVector<PlaceView> m_places;
  QString m_problem;
  std::map<std::string, PlaceNote> m_notes;
  std::map<std::string, Job> m_jobs;  // by the run's UUID
  std::vector<std::string> m_changedRuns;
  QHash<QString, QDateTime> m_heard;
  bool m_heardChanged = false;
  bool m_elsewhere = false;  // somebody has trained elsewhere, or may
  bool m_changed = false;
  std::optional<EngineDescription> m_engine;  // of this machine, once somebody has asked it
};

}  // namespace fathom
