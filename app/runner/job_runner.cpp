// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/job_runner.h"

#include <sys/wait.h>

#include <cerrno>

#include "app/runner/child_process.h"
#include "core/record/runs/run_lock.h"

namespace fathom {

namespace {

class LocalJob : public Job {
 public:
  explicit LocalJob(int pid) : m_pid(pid) {}
  std::optional<int> poll() override {
    if (m_exit) return m_exit;
    int status = 0;
    const pid_t done = waitpid(m_pid, &status, WNOHANG);
    if (done == m_pid) m_exit = exitCodeOfStatus(status);
    if (done < 0 && errno == ECHILD) m_exit = kUnknownExit;
    return m_exit;
  }
  std::int64_t pid() const override { return m_pid; }

 private:
  int m_pid;
  std::optional<int> m_exit;
};

// Not our child: the run's lock tells whether it lives.
class AdoptedJob : public Job {
 public:
  AdoptedJob(std::string runPath, std::int64_t pid) : m_runPath(std::move(runPath)), m_pid(pid) {}
  std::optional<int> poll() override {
    if (runLockHolder(m_runPath)) return std::nullopt;
    return kUnknownExit;
  }
  std::int64_t pid() const override { return m_pid; }

 private:
  std::string m_runPath;
  std::int64_t m_pid;
};

class LocalJobRunner : public JobRunner {
 public:
  Result<std::unique_ptr<Job>> start(const JobRequest& request) override {
    ChildSpec spec;
    spec.program = request.enginePath;
    if (request.configPath.empty()) {
      spec.arguments = {"resume", "--run", request.runPath};
    } else {
      spec.arguments = {"train",         "--config", request.configPath, "--run",
                        request.runPath, "--uuid",   request.uuid};
    }
    spec.environment = {{"OMP_NUM_THREADS", std::to_string(request.threads)},
                        {"CUBLAS_WORKSPACE_CONFIG", ":4096:8"}};
    spec.stderrPath = request.stderrPath;
    spec.nice = request.nice;
    FATHOM_TRY(const int pid, startChild(spec));
    return std::unique_ptr<Job>(new LocalJob(pid));
  }

  std::unique_ptr<Job> adopt(const std::string& runPath) override {
    const auto holder = runLockHolder(runPath);
    return holder ? std::make_unique<AdoptedJob>(runPath, holder->pid) : nullptr;
  }
};

}  // namespace

std::unique_ptr<JobRunner> makeLocalJobRunner() {
  return std::make_unique<LocalJobRunner>();
}

}  // namespace fathom
