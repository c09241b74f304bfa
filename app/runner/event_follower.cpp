// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/event_follower.h"

#include <QTimer>
#include <filesystem>
#include <map>
#include <utility>

#include "core/base/threads/error_boundary.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {

constexpr std::size_t kBytesARound = std::size_t{1} << 20;

struct FollowedAttempt {
  std::string file;
  EventReader reader;
  bool refused = false;
  bool again = false;  // nothing was told yet since it was replaced
};

// Events are only ever appended. A file shorter than what was read is another one: a copy, a backup.
void startAgainWhereReplaced(FollowedAttempt& attempt) {
  std::error_code code;
  const auto size = std::filesystem::file_size(attempt.file, code);
  if (code || static_cast<std::int64_t>(size) >= attempt.reader.offset()) return;
  attempt.reader = EventReader(attempt.file);
  attempt.refused = false;
  attempt.again = true;
}

struct FollowedRun {
  RunFolder folder;
  std::map<int, FollowedAttempt> attempts;
  bool given = false;  // given up: reading it threw
};

}  // namespace

// Lives in the follower's thread.
class EventFollowerWorker : public QObject {
  Q_OBJECT
 public:
  explicit EventFollowerWorker(int pollMilliseconds) : m_timer(new QTimer(this)) {
    m_timer->setInterval(pollMilliseconds);
    connect(m_timer, &QTimer::timeout, this, &EventFollowerWorker::round);
  }

 public Q_SLOTS:
  void follow(const QString& uuid, const QString& folder) {
    m_runs.try_emplace(uuid, FollowedRun{RunFolder(folder.toStdString()), {}, false});
    (void)pollGuarded(uuid, m_runs.at(uuid));
    m_timer->start();
  }
  void unfollow(const QString& uuid) {
    m_runs.erase(uuid);
    if (m_runs.empty()) m_timer->stop();
  }

 Q_SIGNALS:
  void arrived(const fathom::EventBatchPtr& batch);
  void problem(const QString& run, const fathom::Error& error);

 private:
  void round() {
    bool more = false;
    for (auto& [uuid, run] : m_runs) more = pollGuarded(uuid, run) || more;
    // Something was cut off at the size limit: go on at once, but let follow and unfollow in between.
    if (more) QTimer::singleShot(0, this, &EventFollowerWorker::round);
  }

  // A failure of one run is told once and is its own problem; the others are followed on.
  bool pollGuarded(const QString& uuid, FollowedRun& run) {
    bool more = false;
    if (run.given) return more;
    const auto thrown = errorThrownBy([&] { more = pollRun(uuid, run); });
    if (!thrown) return more;
    run.given = true;
    Q_EMIT problem(uuid, *thrown);
    return false;
  }

  bool pollRun(const QString& uuid, FollowedRun& run) {
    bool more = false;
    for (const int number : run.folder.attempts()) {
      auto found = run.attempts.find(number);
      if (found == run.attempts.end()) {
        const std::string file = run.folder.eventsPath(number);
        found = run.attempts.emplace(number, FollowedAttempt{file, EventReader(file)}).first;
      }
      more = pollAttempt(uuid, number, found->second) || more;
    }
    return more;
  }

  bool pollAttempt(const QString& uuid, int number, FollowedAttempt& attempt) {
    startAgainWhereReplaced(attempt);
    if (attempt.refused) return false;
    const std::int64_t before = attempt.reader.offset();
    auto events = attempt.reader.poll(kBytesARound);
    if (!events) {
      // A run that has not begun to write yet is no problem.
      if (events.error().kind != ErrorKind::Data) return false;
      attempt.refused = true;
      Q_EMIT problem(uuid, events.error());
      return false;
    }
    if (!events->empty()) {
      auto batch = std::make_shared<EventBatch>();
      batch->run = uuid;
      batch->attempt = number;
      batch->events = std::move(*events);
      batch->badLines = attempt.reader.badLines();
      batch->missingEvents = attempt.reader.missingEvents();
      batch->again = std::exchange(attempt.again, false);
      Q_EMIT arrived(batch);
    }
    return attempt.reader.offset() - before >= static_cast<std::int64_t>(kBytesARound / 2);
  }

  QTimer* m_timer;
  std::map<QString, FollowedRun> m_runs;
};

EventFollower::EventFollower(int pollMilliseconds, QObject* parent)
    : QObject(parent), m_worker(new EventFollowerWorker(pollMilliseconds)) {
  qRegisterMetaType<fathom::EventBatchPtr>("fathom::EventBatchPtr");
  m_thread.setObjectName("event follower");
  m_worker->moveToThread(&m_thread);
  connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
  connect(m_worker, &EventFollowerWorker::arrived, this, &EventFollower::arrived);
  connect(m_worker, &EventFollowerWorker::problem, this, &EventFollower::problem);
  m_thread.start();
}

EventFollower::~EventFollower() {
  m_thread.quit();
  m_thread.wait();
}

void EventFollower::follow(const QString& run, const QString& folder) {
  QMetaObject::invokeMethod(m_worker, [worker = m_worker, run, folder] { worker->follow(run, folder); });
}

void EventFollower::unfollow(const QString& run) {
  QMetaObject::invokeMethod(m_worker, [worker = m_worker, run] { worker->unfollow(run); });
}

}  // namespace fathom

#include "event_follower.moc"
