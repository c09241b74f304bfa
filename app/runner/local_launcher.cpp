// SPDX-License-Identifier: GPL-3.0-or-later
// Engines as processes of this machine, each in its own session, so that they outlive the runner.
#include "app/runner/launcher.h"

#include <sys/wait.h>

#include <QtGlobal>

#include <cerrno>
#include <csignal>

#include "app/runner/child_process.h"
#include "app/runner/script_job.h"
#include "core/record/runs/run_lock.h"

namespace fathom {

namespace {

std::string processText(std::int64_t pid) {
  return "process " + std::to_string(pid);
}

JobStatus endedWith(int exitCode) {
  return {.kind = JobStatus::Kind::Ended, .exitCode = exitCode};
}

// A process that works on a run: it hears its control socket, and what nobody heeds SIGKILL. On another host
// of a shared disk its number is somebody else's here.
class ProcessJob : public Job {
 public:
  ProcessJob(std::string runPath, std::int64_t pid)
      : m_runPath(std::move(runPath)), m_pid(pid), m_id(processText(pid)) {}
  const std::string& id() const override { return m_id; }
  Status signal(JobSignal what) override {
    switch (what) {
      case JobSignal::Stop:
        return sendControl(m_runPath, "stop");
      case JobSignal::Save:
        return sendControl(m_runPath, "checkpoint");
      case JobSignal::Abort:
        return sendControl(m_runPath, "abort");
      case JobSignal::Kill:
        break;
    }
    if (const auto holder = runLockHolder(m_runPath); holder && holder->foreign)
      return unavailableError(Phrase::tr("run %1 is running on %2")(m_runPath, holder->host),
                              Phrase::tr("send the command from there"));
    if (m_pid <= 0 || ::kill(static_cast<pid_t>(m_pid), SIGKILL) == 0 || errno == ESRCH) return {};
    return systemError(Phrase::tr("cannot end the engine of"), m_runPath, errno);
  }

 protected:
  JobStatus named(JobStatus status) const {
    status.job = m_id;
    return status;
  }
  const std::string& runPath() const { return m_runPath; }
  std::int64_t pid() const { return m_pid; }

 private:
  std::string m_runPath;
  std::int64_t m_pid;
  std::string m_id;
};

class LocalJob : public ProcessJob {
 public:
  using ProcessJob::ProcessJob;
  JobStatus status() override {
    if (m_exit) return named(endedWith(*m_exit));
    int status = 0;
    const pid_t done = waitpid(static_cast<pid_t>(pid()), &status, WNOHANG);
    if (done == pid()) m_exit = exitCodeOfStatus(status);
    if (done < 0 && errno == ECHILD) m_exit = kUnknownExit;
    return named(m_exit ? endedWith(*m_exit) : JobStatus());
  }

 private:
  std::optional<int> m_exit;
};

// Not our child: the run's lock tells whether it lives.
class AdoptedJob : public ProcessJob {
 public:
  using ProcessJob::ProcessJob;
  JobStatus status() override {
    return named(runLockHolder(runPath()) ? JobStatus() : endedWith(kUnknownExit));
  }
};

Result<std::unique_ptr<Job>> startEngine(const JobRequest& request) {
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
  return std::unique_ptr<Job>(new LocalJob(request.runPath, pid));
}

class LocalPlace : public Place {
 public:
  explicit LocalPlace(std::string project) : m_project(std::move(project)) {}
  PlaceAbilities abilities() const override {
    return {.ownQueue = false, .knowsMemoryKill = true, .scripts = true};
  }
  Result<std::vector<std::unique_ptr<Job>>> submit(std::span<const JobRequest> requests) override {
    std::vector<std::unique_ptr<Job>> jobs;
    for (const JobRequest& request : requests) {
      auto job = request.script.given() ? startScript(request, m_project) : startEngine(request);
      if (job.ok()) {
        jobs.push_back(std::move(*job));
        continue;
      }
      for (const auto& started : jobs) (void)started->signal(JobSignal::Kill);
      return job.error();
    }
    return jobs;
  }
  std::unique_ptr<Job> adopt(const std::string& runPath) override {
    if (auto script = adoptScript(runPath)) return script;
    const auto holder = runLockHolder(runPath);
    return holder ? std::make_unique<AdoptedJob>(runPath, holder->pid) : nullptr;
  }

 private:
  std::string m_project;
};

}  // namespace

LauncherEntry localLauncherEntry() {
  return {.id = "local",
          .title = QT_TRANSLATE_NOOP("Engine", "This machine"),
          .open = [](const PlaceRecord&, const std::string& project) -> Result<std::unique_ptr<Place>> {
            return std::unique_ptr<Place>(new LocalPlace(project));
          }};
}

}  // namespace fathom
