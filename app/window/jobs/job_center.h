// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QHash>
#include <QObject>
#include <QThreadPool>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>

#include "core/base/errors/result.h"
#include "core/base/threads/stop_token.h"
#include "views/panels/widgets/job_strip.h"

namespace fathom {

// Long work of a window: each job runs in a pool thread and has an owner ("data page") and a generation.
// Cancelling takes effect in the window at once; what a cancelled or superseded job still delivers is
// dropped. GUI thread.
class JobCenter : public QObject {
  Q_OBJECT
 public:
  explicit JobCenter(QObject* parent = nullptr);
  ~JobCenter() override;

  // Starts a job; jobs of the same non-empty owner that still run are cancelled. `done` is called in the GUI
  // thread with the result, unless the job was cancelled or superseded. `progress` (may be empty) gets the
  // updates in the GUI thread.
  //   work: Result<T>(Progress&, const StopToken&); what it throws is the result's error
  //   done: void(Result<T>)
  template <typename T, typename Work, typename Done>
  int start(const QString& title, const QString& owner, Work work, Done done,
            std::function<void(const ProgressUpdate&)> progress = {}) {
    const auto result = std::make_shared<std::optional<Result<T>>>();
    return startErased(
        title, owner,
        [result, work = std::move(work)](Progress& sink, const StopToken& stop) mutable {
          result->emplace(work(sink, stop));
        },
        [result, done = std::move(done)](const Error* failure) mutable {
          if (failure != nullptr) result->emplace(*failure);
          const bool succeeded = (*result)->ok();
          done(std::move(**result));
          return succeeded;
        },
        std::move(progress));
  }
  void cancel(int id);
  void cancelOwner(const QString& owner);
  // Neither over nor cancelled.
  bool isRunning(int id) const { return m_jobs.contains(id); }
  int count() const { return static_cast<int>(m_jobs.size()); }
  // Cancels all of them.
  void abandon();
  // Threads work, for jobs that were cancelled too.
  bool isAtWork() const { return m_pool.activeThreadCount() > 0; }
  // Waits for all threads (closing, tests).
  void waitForDone();

 Q_SIGNALS:
  void started(const QString& owner);
  // It has delivered what it was asked for.
  void succeeded(const QString& owner);
  // Jobs that run for more than 400 ms, oldest first.
  void shownJobsChanged(const QVector<fathom::JobView>& jobs);

 private:
  using ErasedWork = std::function<void(Progress&, const StopToken&)>;
  // Of what the work threw, or null; false where it failed.
  using Deliver = std::function<bool(const Error*)>;
  struct Job {
    JobView view;
    QString owner;
    StopToken stop;
    QElapsedTimer clock;
    double before = 0;  // of the phase, done when it began: what an earlier job has left
    double beganAfter = 0;
    std::function<void(const ProgressUpdate&)> progress;
  };
  int startErased(const QString& title, const QString& owner, ErasedWork work, Deliver deliver,
                  std::function<void(const ProgressUpdate&)> progress);
  void update(int id, ProgressUpdate update);
  void finish(int id, const Deliver& deliver, const std::optional<Error>& failure);
  void show();
  QHash<int, Job> m_jobs;
  QThreadPool m_pool;
  QTimer m_show;
  int m_next = 1;
};

}  // namespace fathom
