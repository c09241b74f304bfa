// SPDX-License-Identifier: GPL-3.0-or-later
// Engines as jobs of a Slurm whose commands this machine has, on a disk that both share, or a host has that
// ssh reaches: their runs are copied here while they are trained.
#include <QStandardPaths>

#include "app/runner/launcher.h"
#include "app/runner/slurm/slurm_board.h"
#include "app/runner/slurm/slurm_check.h"
#include "app/runner/slurm/slurm_script.h"
#include "app/runner/ssh/run_fetch.h"
#include "app/runner/ssh/ssh_board.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/record/runs/control_folder.h"
#include "core/record/runs/run_folder.h"
#include "core/record/runs/run_lock.h"

namespace fathom {

namespace {

constexpr const char* kLimitSignal = "SIGTERM";  // who asked for a stop that the site's limit was
constexpr std::size_t kMostScriptBytes = std::size_t{1} << 16;

class SlurmJob : public Job {
 public:
  // `host`: where its run is copied from; null where it lies on this disk.
  SlurmJob(std::shared_ptr<SlurmBoard> board, std::shared_ptr<SlurmBoard::Task> task,
           std::shared_ptr<SshBoard> host)
      : m_board(std::move(board)),
        m_task(std::move(task)),
        m_host(std::move(host)),
        m_id(idOf(m_board->part(*m_task))) {
    if (m_host) m_copied = m_host->watch(m_task->request, m_task->attempts);
  }
  ~SlurmJob() override {
    if (m_host) m_host->release(m_copied);
    m_board->release(m_task);
  }
  const std::string& id() const override { return m_id; }
  std::optional<int> attemptsBefore() const override { return m_task->attempts; }

  JobStatus status() override {
    JobStatus told = m_board->status(*m_task);
    const RunFolder folder(m_task->request.runPath);
    const bool refused = told.kind == JobStatus::Kind::Refused;
    const bool over = told.kind == JobStatus::Kind::Ended || refused;
    const auto ends = [&](const std::optional<RunOutcome>& outcome) {
      return outcome && (over || !isLimit(*outcome));
    };
    auto outcome = newOutcome(folder);
    if (!copyIsWhole(told, ends(outcome) || (over && !refused))) return told;
    if (m_host) outcome = newOutcome(folder);  // it may have come meanwhile
    if (ends(outcome)) {
      told.kind = JobStatus::Kind::Ended;
      told.exitCode = outcome->exitCode;
      // It saved since the site wanted it to go: the site says why.
      if (!isLimit(*outcome)) told.end = JobEnd::Own;
    } else if (folder.exists() && runLockHolder(folder.path())) {
      if (told.kind != JobStatus::Kind::Running) told.reason.clear();  // said before it began
      told.kind = JobStatus::Kind::Running;
    }
    if (told.kind == JobStatus::Kind::Ended) finish();
    return told;
  }

  Status signal(JobSignal what) override {
    const std::string& run = m_task->request.runPath;
    const bool running = runLockHolder(run).has_value();
    if (what == JobSignal::Save) return running ? sendControl(run, "checkpoint") : Status();
    if (what == JobSignal::Stop && running) return sendControl(run, "stop");
    if (what == JobSignal::Abort && running) return sendControl(run, "abort");
    m_board->cancel(m_task);
    return {};
  }

 private:
  static std::string idOf(const SlurmBoard::Part& part) {
    return "submission " + part.submission.uuid().substr(0, 8) + "/" + std::to_string(part.index);
  }

  // The outcome of an attempt that this job has begun.
  std::optional<RunOutcome> newOutcome(const RunFolder& folder) {
    const int last = folder.exists() ? folder.lastAttempt() : 0;
    if (last <= m_task->attempts) return std::nullopt;
    keepScript(folder.attemptPath(last));
    return folder.outcome(last);
  }

  // False while a run that has ended there is not all here: it is told to be at work then.
  bool copyIsWhole(JobStatus& told, bool ended) {
    if (!m_host) return true;
    if (!ended && !told.job.empty()) m_host->sayAtWork(*m_copied, told.kind == JobStatus::Kind::Running);
    if (!ended || m_host->settle(*m_copied)) return true;
    told.kind = JobStatus::Kind::Running;
    return false;
  }

  // The site starts it again; a stop that a person asked for is an end.
  static bool isLimit(const RunOutcome& outcome) {
    return outcome.state == RunState::Stopped && outcome.askedBy == kLimitSignal;
  }

  void keepScript(const std::string& attempt) {
    if (attempt == m_kept) return;
    m_kept = attempt;
    if (const auto script = readFile(m_board->part(*m_task).submission.scriptPath()))
      (void)writeFileAtomically(attempt + "/submission.sh", *script).ok();
  }

  // The script's words where the engine said nothing: a module that is not there.
  void finish() {
    if (std::exchange(m_finished, true)) return;
    const SlurmBoard::Part part = m_board->part(*m_task);
    const std::string& messages = m_task->request.stderrPath;
    if (!messages.empty() && fileBytes(messages) == 0)
      if (const auto words = readFile(part.submission.logPath(part.index), kMostScriptBytes))
        (void)writeFileAtomically(messages, *words).ok();
    m_board->finish(*m_task);
  }

  std::shared_ptr<SlurmBoard> m_board;
  std::shared_ptr<SlurmBoard::Task> m_task;
  std::shared_ptr<SshBoard> m_host;
  SshBoard::Shared m_copied;
  std::string m_id, m_kept;
  bool m_finished = false;
};

class SlurmPlace : public Place {
 public:
  SlurmPlace(const PlaceRecord& record, const std::string& project)
      : m_board(std::make_shared<SlurmBoard>(record, project)),
        m_host(isSlurmOfHost(record) ? std::make_shared<SshBoard>(record, project) : nullptr) {}
  PlaceAbilities abilities() const override { return {.ownQueue = true, .restarts = true}; }
  Result<std::vector<std::unique_ptr<Job>>> submit(std::span<const JobRequest> requests) override {
    std::vector<std::unique_ptr<Job>> jobs;
    for (auto& task : m_board->submit(requests))
      jobs.push_back(std::make_unique<SlurmJob>(m_board, std::move(task), m_host));
    return jobs;
  }
  std::unique_ptr<Job> adopt(const std::string& runPath) override {
    auto task = m_board->adopt(runPath);
    return task ? std::make_unique<SlurmJob>(m_board, std::move(task), m_host) : nullptr;
  }

 private:
  std::shared_ptr<SlurmBoard> m_board;
  std::shared_ptr<SshBoard> m_host;
};

Status checkSlurmHere(const PlaceRecord& record) {
  FATHOM_CHECK(checkSlurmPlace(record));
  if (isSlurmOfHost(record)) return checkSshHere(record);
  for (const char* name : {"sbatch", "squeue", "scancel"})
    if (QStandardPaths::findExecutable(QString::fromLatin1(name)).isEmpty())
      return unavailableError(Phrase::tr("this machine has no program '%1'")(name),
                              Phrase::tr("start Fathom on a host that has Slurm's commands"));
  return {};
}

}  // namespace

LauncherEntry slurmLauncherEntry() {
  return {
      .id = "slurm",
      .title = QT_TRANSLATE_NOOP("Engine", "Slurm"),
      .open = [](const PlaceRecord& record, const std::string& project) -> Result<std::unique_ptr<Place>> {
        return std::unique_ptr<Place>(new SlurmPlace(record, project));
      },
      .resources = slurmResources(),
      .limits = slurmLimits(),
      .hasScript = true,
      .hasHead = true,
      .elsewhere = true,
      .check = checkSlurmPlace,
      .script = slurmSampleScript,
      .ready = checkSlurmHere,
      .look = lookAtSlurm,
      .prepare = prepareSlurm,
      .measure = measureSlurm,
      .fetch = fetchFromHost};
}

}  // namespace fathom
