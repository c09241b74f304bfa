// SPDX-License-Identifier: GPL-3.0-or-later
// Engines as processes of this machine, each in its own session, so that they outlive the runner.
#include "app/runner/launcher.h"

#include <sys/wait.h>

#include <QtGlobal>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <utility>

#include "app/runner/child_process.h"
#include "app/runner/script_job.h"
#include "core/library/queue/queue_folder.h"
#include "core/record/runs/run_folder.h"
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
  // `pid` 0: not known yet.
  ProcessJob(std::string runPath, std::int64_t pid)
      : m_runPath(std::move(runPath)),
        m_pid(pid),
        m_id(pid > 0 ? processText(pid) : "an engine that starts") {}
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
  void becomes(std::int64_t pid) {
    m_pid = pid;
    m_id = processText(pid);
  }

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

// Not our child: the run's lock tells whether it lives, and before it has that one the messages that it was
// started with.
class AdoptedJob : public ProcessJob {
 public:
  using ProcessJob::ProcessJob;
  AdoptedJob(const std::string& runPath, std::string messages, int before)
      : ProcessJob(runPath, 0), m_messages(std::move(messages)), m_before(before) {}
  std::optional<int> attemptsBefore() const override { return m_before; }
  JobStatus status() override {
    const bool starts = !m_messages.empty() && isHeldByChild(m_messages);
    if (const auto holder = runLockHolder(runPath())) {
      if (!std::exchange(m_messages, {}).empty()) becomes(holder->pid);
      return named(JobStatus());
    }
    return named(starts ? JobStatus() : endedWith(kUnknownExit));
  }

 private:
  std::string m_messages;  // "" = it has its run
  std::optional<int> m_before;
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
  spec.holds = true;
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
    // In this order: an engine lets go of its messages when it has its run, and an attempt that has ended
    // before it was seen to start is not its own.
    const int before = endedAttempts(runPath);
    const std::string messages = m_project.empty() ? std::string() : messagesOf(runPath);
    const bool starts = !messages.empty() && isHeldByChild(messages);
    if (const auto holder = runLockHolder(runPath)) return std::make_unique<AdoptedJob>(runPath, holder->pid);
    return starts ? std::make_unique<AdoptedJob>(runPath, messages, before) : nullptr;
  }

 private:
  static int endedAttempts(const std::string& runPath) {
    const RunFolder folder(runPath);
    const int last = folder.exists() ? folder.lastAttempt() : 0;
    return last > 0 && !folder.outcome(last) ? last - 1 : last;
  }
  // As the runner calls them by the run's UUID, which is the name of its folder.
  std::string messagesOf(const std::string& runPath) const {
    return QueueFolder(m_project).startingPath() + "/" + std::filesystem::path(runPath).filename().string() +
           ".stderr";
  }
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
