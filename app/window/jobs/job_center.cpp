// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/jobs/job_center.h"

#include <QCoreApplication>

#include "core/base/threads/error_boundary.h"

namespace fathom {

namespace {
constexpr qint64 kShowAfterMilliseconds = 400;
constexpr int kRefreshMilliseconds = 200;
constexpr double kFirstMoment = 0.5;  // seconds
constexpr int kWaitMilliseconds = 10;
// Some jobs wait minutes for an engine of their own: what reads for the window never stands behind them.
constexpr int kLeastThreads = 8;
}  // namespace

JobCenter::JobCenter(QObject* parent) : QObject(parent) {
  m_pool.setMaxThreadCount(qMax(kLeastThreads, QThread::idealThreadCount()));
  m_show.setInterval(kRefreshMilliseconds);
  connect(&m_show, &QTimer::timeout, this, &JobCenter::show);
}

JobCenter::~JobCenter() {
  for (const Job& job : std::as_const(m_jobs)) job.stop.requestAbort();
  m_jobs.clear();
  waitForDone();
}

void JobCenter::abandon() {
  const QList<int> ids = m_jobs.keys();
  for (const int id : ids) cancel(id);
}

int JobCenter::startErased(const QString& title, const QString& owner, ErasedWork work, Deliver deliver,
                           std::function<void(const ProgressUpdate&)> progress) {
  if (!owner.isEmpty()) cancelOwner(owner);
  const int id = m_next++;
  Job job;
  job.view.id = id;
  job.view.title = title;
  job.owner = owner;
  job.clock.start();
  job.progress = std::move(progress);
  const StopToken stop = job.stop;
  m_jobs.insert(id, job);
  m_show.start();
  Q_EMIT started(owner);
  m_pool.start([this, id, stop, work = std::move(work), deliver = std::move(deliver)] {
    Progress sink([this, id](const ProgressUpdate& state) {
      QMetaObject::invokeMethod(
          this, [this, id, state] { update(id, state); }, Qt::QueuedConnection);
    });
    const std::optional<Error> failure = errorThrownBy([&] { work(sink, stop); });
    QMetaObject::invokeMethod(
        this, [this, id, deliver, failure] { finish(id, deliver, failure); }, Qt::QueuedConnection);
  });
  return id;
}

void JobCenter::update(int id, ProgressUpdate state) {
  const auto found = m_jobs.find(id);
  if (found == m_jobs.end()) return;
  // Work that is there in the first moment was not done now: the time that is left goes by the rest.
  const ProgressUpdate& last = found->view.progress;
  const bool another = state.phase != last.phase || state.total != last.total;
  if (another) found->before = 0;
  const bool first = state.done > 0 && (another || last.done == 0);
  if (first && state.spentSeconds < kFirstMoment) {
    found->before = state.done;
    found->beganAfter = state.spentSeconds;
  }
  if (found->before > 0 && state.remainingSeconds) {
    const double done = state.done - found->before, spent = state.spentSeconds - found->beganAfter;
    if (done > 0) state.remainingSeconds = spent * (state.total - state.done) / done;
    if (done <= 0) state.remainingSeconds.reset();
  }
  found->view.progress = state;
  if (found->progress) found->progress(state);
}

void JobCenter::finish(int id, const Deliver& deliver, const std::optional<Error>& failure) {
  const bool wanted = m_jobs.contains(id);
  const QString owner = m_jobs.take(id).owner;
  show();
  const QPointer<JobCenter> self(this);
  if (wanted && deliver(failure ? &*failure : nullptr) && self) Q_EMIT succeeded(owner);
}

void JobCenter::cancel(int id) {
  const auto found = m_jobs.find(id);
  if (found == m_jobs.end()) return;
  found->stop.requestAbort();
  m_jobs.erase(found);
  show();
}

void JobCenter::cancelOwner(const QString& owner) {
  const QList<int> ids = m_jobs.keys();
  for (const int id : ids)
    if (m_jobs.value(id).owner == owner) cancel(id);
}

void JobCenter::waitForDone() {
  // A job may be waiting for this thread to draw something (views/files/figure_export.h).
  while (!m_pool.waitForDone(kWaitMilliseconds)) QCoreApplication::sendPostedEvents(qApp, QEvent::MetaCall);
}

void JobCenter::show() {
  QVector<JobView> views;
  for (const Job& job : std::as_const(m_jobs)) {
    if (job.clock.elapsed() < kShowAfterMilliseconds) continue;
    views.append(job.view);
    views.last().progress.spentSeconds = double(job.clock.elapsed()) / 1000;
  }
  std::sort(views.begin(), views.end(), [](const JobView& a, const JobView& b) { return a.id < b.id; });
  Q_EMIT shownJobsChanged(views);
  if (m_jobs.isEmpty()) m_show.stop();
}

}  // namespace fathom
