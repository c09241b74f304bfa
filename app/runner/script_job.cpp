// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/script_job.h"

#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "app/runner/child_process.h"
#include "core/base/errors/error_key.h"
#include "core/base/files/one_folder.h"
#include "core/base/files/path_facts.h"
#include "core/record/events/event_reader.h"
#include "core/record/runs/run_folder.h"
#include "core/record/runs/run_lock.h"

namespace fathom {

namespace {

class ScriptJob : public Job {
 public:
  ScriptJob(std::string runPath, ProcessIdentity process, int attemptsBefore, bool ours)
      : m_runPath(std::move(runPath)),
        m_process(std::move(process)),
        m_id("process " + std::to_string(m_process.pid)),
        m_attemptsBefore(attemptsBefore),
        m_ours(ours) {}
  const std::string& id() const override { return m_id; }
  std::optional<int> attemptsBefore() const override { return m_attemptsBefore; }
  // A shell may have left its training behind: the run goes on as long as somebody writes it.
  JobStatus status() override {
    if (!m_exit) lookAtProcess();
    const bool over = m_exit && !runLockHolder(m_runPath);
    JobStatus status;
    status.kind = over ? JobStatus::Kind::Ended : JobStatus::Kind::Running;
    if (over) status.exitCode = *m_exit;
    status.job = m_id;
    return status;
  }
  Status signal(JobSignal what) override {
    const auto holder = runLockHolder(m_runPath);
    if (what == JobSignal::Kill) {
      if (holder && !holder->foreign && holder->pid > 0) ::kill(static_cast<pid_t>(holder->pid), SIGKILL);
      return signalSession(SIGKILL);
    }
    if (holder) return sendControl(m_runPath, word(what));
    return what == JobSignal::Save ? Status() : signalSession(SIGTERM);
  }

 private:
  static const char* word(JobSignal what) {
    return what == JobSignal::Stop ? "stop" : what == JobSignal::Save ? "checkpoint" : "abort";
  }
  void lookAtProcess() {
    if (!m_ours) {
      if (!processLives(m_process)) m_exit = kUnknownExit;
      return;
    }
    int status = 0;
    const pid_t done = waitpid(static_cast<pid_t>(m_process.pid), &status, WNOHANG);
    if (done == m_process.pid) m_exit = exitCodeOfStatus(status);
    if (done < 0 && errno == ECHILD) m_exit = kUnknownExit;
  }
  Status signalSession(int number) const {
    if (::kill(-static_cast<pid_t>(m_process.pid), number) == 0 || errno == ESRCH) return {};
    return systemError(Phrase::tr("cannot end the command of"), m_runPath, errno);
  }
  std::string m_runPath;
  ProcessIdentity m_process;
  std::string m_id;
  int m_attemptsBefore;
  bool m_ours;  // a child of this process
  std::optional<int> m_exit;
};

// Where fathom.py lies beside this program; "" where it was not installed.
std::string moduleFolder() {
  const std::string installed = programFolder() + "/../share/fathom/python";
  if (fileExists(installed + "/fathom.py")) return installed;
  const std::string module = besideSources("packaging/python/fathom.py");
  return module.substr(0, module.rfind('/') == std::string::npos ? 0 : module.rfind('/'));
}

std::string ownVariable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

// The last checkpoint that the run noted and that is still there; "" = none.
std::string notedCheckpoint(const std::string& runPath) {
  const RunFolder run(runPath);
  std::vector<int> attempts = run.attempts();
  std::reverse(attempts.begin(), attempts.end());
  for (const int attempt : attempts) {
    std::string found;
    EventReader reader(run.eventsPath(attempt));
    while (true) {
      const auto events = reader.poll(std::size_t{4} << 20);
      if (!events.ok() || events->empty()) break;
      for (const Event& event : *events) {
        if (event.kind != "checkpoint") continue;
        const auto name = event.members.find("name");
        if (name != event.members.end() && name->is_string() && fileExists(name->get<std::string>()))
          found = name->get<std::string>();
      }
    }
    if (!found.empty()) return found;
  }
  return {};
}

// Cards are numbered as this process sees them.
std::string cardOf(const std::string& device) {
  constexpr std::string_view kCard = "cuda:";
  if (!device.starts_with(kCard)) return {};
  const std::string number = device.substr(kCard.size()), shown = ownVariable("CUDA_VISIBLE_DEVICES");
  std::string rest = shown;
  for (int i = std::atoi(number.c_str()); i > 0 && !rest.empty(); --i)
    rest = rest.find(',') == std::string::npos ? std::string() : rest.substr(rest.find(',') + 1);
  return rest.empty() ? number : rest.substr(0, rest.find(','));
}

using Environment = std::vector<std::pair<std::string, std::string>>;

Environment environmentFor(const JobRequest& request, const std::string& project) {
  const RunScript& script = request.script;
  Environment environment = {
      {"FATHOM_PROJECT", project},
      {"FATHOM_RUN_DIR", request.runPath},
      {"FATHOM_RUN_UUID", request.uuid},
      {"FATHOM_OPTIONS", script.options.empty() ? std::string() : script.options.dump()},
      {"FATHOM_NAME", request.name},
      {"FATHOM_GROUP", script.group},
      {"FATHOM_RESUME_FROM", request.attemptsBefore > 0 ? notedCheckpoint(request.runPath) : std::string()},
      {"OMP_NUM_THREADS", std::to_string(request.threads)},
      {"PYTHONUNBUFFERED", "1"}};
  if (const std::string module = moduleFolder(); !module.empty()) {
    const std::string others = ownVariable("PYTHONPATH");
    environment.emplace_back("PYTHONPATH", others.empty() ? module : others + ":" + module);
  }
  if (const std::string card = cardOf(request.device); !card.empty())
    environment.emplace_back("CUDA_VISIBLE_DEVICES", card);
  return environment;
}

}  // namespace

Result<std::unique_ptr<Job>> startScript(const JobRequest& request, const std::string& project) {
  const RunScript& script = request.script;
  if (!folderExists(script.folder))
    return aboutFile(script.folder,
                     dataError(Phrase::tr("the folder of the command is not there: %1")(script.folder)));
  FATHOM_CHECK(makeOneFolder(request.runPath));
  ScriptStart start{script, request.entryCreated, request.attemptsBefore, {}};
  FATHOM_CHECK(keepScriptStart(request.runPath, start));
  ChildSpec spec;
  spec.program = script.command.front();
  spec.arguments.assign(script.command.begin() + 1, script.command.end());
  spec.environment = environmentFor(request, project);
  spec.stderrPath = request.stderrPath;
  spec.nice = request.nice;
  spec.folder = script.folder;
  spec.keepOutput = true;
  FATHOM_TRY(const int pid, startChild(spec));
  start.process = processWithId(pid);
  // Without it a later runner would not know the process; this one does.
  (void)keepScriptStart(request.runPath, start).ok();
  return std::unique_ptr<Job>(new ScriptJob(request.runPath, start.process, request.attemptsBefore, true));
}

std::unique_ptr<Job> adoptScript(const std::string& runPath) {
  const auto start = scriptStart(runPath);
  if (!start || start->process.pid <= 0 || !processLives(start->process)) return nullptr;
  return std::make_unique<ScriptJob>(runPath, start->process, start->attemptsBefore, false);
}

}  // namespace fathom
