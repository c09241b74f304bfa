// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QHash>
#include <QObject>
#include <QThreadPool>
#include <QTimer>
#include <functional>
#include <memory>

#include "core/base/result.h"
#include "core/base/stop_token.h"
#include "views/panels/job_strip.h"

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
  template <typename T>
  int start(const QString& title, const QString& owner,
            std::function<Result<T>(Progress&, const StopToken&)> work, std::function<void(Result<T>)> done,
            std::function<void(const ProgressUpdate&)> progress = {}) {
    return startErased(
        title, owner,
        [work = std::move(work), done = std::move(done)](Progress& p, const StopToken& stop) {
          auto result = std::make_shared<Result<T>>(guarded<T>(work, p, stop));
          return std::function<void()>([done, result] { done(std::move(*result)); });
        },
        std::move(progress));
  }
  void cancel(int id);
  void cancelOwner(const QString& owner);
  int count() const { return static_cast<int>(m_jobs.size()); }
  // Waits for all threads (closing, tests).
  void waitForDone();

 Q_SIGNALS:
  // Jobs that run for more than 400 ms, oldest first.
  void shownJobsChanged(const QVector<fathom::JobView>& jobs);

 private:
  using Deliver = std::function<void()>;
  struct Job {
    JobView view;
    QString owner;
    StopToken stop;
    QElapsedTimer clock;
    std::function<void(const ProgressUpdate&)> progress;
  };
  template <typename T>
  static Result<T> guarded(const std::function<Result<T>(Progress&, const StopToken&)>& work,
                           Progress& progress, const StopToken& stop) {
    try {
      return work(progress, stop);
    } catch (const Failure& failure) {
      return failure.error();
    } catch (const std::exception& e) {
      return internalError(e.what());
    }
  }
  int startErased(const QString& title, const QString& owner,
                  std::function<Deliver(Progress&, const StopToken&)> work,
                  std::function<void(const ProgressUpdate&)> progress);
  void update(int id, const ProgressUpdate& update);
  void finish(int id, const Deliver& deliver);
  void show();
  QHash<int, Job> m_jobs;
  QThreadPool m_pool;
  QTimer m_show;
  int m_next = 1;
};

}  // namespace fathom
