// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QThread>
#include <memory>
#include <vector>

#include "core/base/errors/error.h"
#include "core/record/events/event_reader.h"

namespace fathom {

// Events that were appended to one attempt of one run.
struct EventBatch {
  QString run;  // UUID
  int attempt = 0;
  std::vector<Event> events;
  std::int64_t badLines = 0;       // of this attempt so far
  std::int64_t missingEvents = 0;  // gaps in seq so far
  bool again = false;              // the file was replaced by a shorter one and is read from its start
};
using EventBatchPtr = std::shared_ptr<const EventBatch>;

class EventFollowerWorker;

// Follows the events of many runs while engines write them: polls (file notifications do not arrive from
// network homes), reads in a thread of its own, at most 1 MiB a run and round, so that a huge file arrives in
// pieces and never blocks the window. Lives in the GUI thread; every signal arrives there. Each attempt is
// read from its first event.
class EventFollower : public QObject {
  Q_OBJECT
 public:
  explicit EventFollower(int pollMilliseconds = 250, QObject* parent = nullptr);
  ~EventFollower() override;
  // Under this UUID. A folder that does not exist yet is followed from the moment it appears. Twice is once.
  void follow(const QString& run, const QString& folder);
  void unfollow(const QString& run);

 Q_SIGNALS:
  void arrived(const fathom::EventBatchPtr& batch);
  // The events cannot be read (a newer version, an unreadable file); said once a file.
  void problem(const QString& run, const fathom::Error& error);

 private:
  QThread m_thread;
  EventFollowerWorker* m_worker;
};

}  // namespace fathom

Q_DECLARE_METATYPE(fathom::EventBatchPtr)
