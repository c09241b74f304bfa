// SPDX-License-Identifier: GPL-3.0-or-later
// Engines as jobs of a Slurm whose commands this machine has, on a disk that both share.
#include <QStandardPaths>
#include <filesystem>

#include "app/runner/launcher.h"
#include "app/runner/slurm_board.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/record/runs/control_folder.h"
#include "core/record/runs/run_folder.h"
#include "core/record/runs/run_lock.h"

namespace fathom {

namespace {

constexpr const char* kLimitSignal = "SIGTERM";  // who asked for a stop that the site's limit was
constexpr std::size_t kMostLogBytes = std::size_t{1} << 16;

class SlurmJob : public Job {
 public:
  SlurmJob(std::shared_ptr<SlurmBoard> board, std::shared_ptr<SlurmBoard::Task> task)
      : m_board(std::move(board)), m_task(std::move(task)), m_id(idOf(m_board->part(*m_task))) {}
  ~SlurmJob() override { m_board->release(m_task); }
  const std::string& id() const override { return m_id; }
  std::optional<int> attemptsBefore() const override { return m_task->attempts; }

  JobStatus status() override {
    JobStatus told = m_board->status(*m_task);
    const RunFolder folder(m_task->request.runPath);
    const bool begun = folder.exists();
    const int last = begun ? folder.lastAttempt() : 0;
    if (last > m_task->attempts) keepScript(folder.attemptPath(last));
    const auto outcome = last > m_task->attempts ? folder.outcome(last) : std::nullopt;
    const bool over = told.kind == JobStatus::Kind::Ended || told.kind == JobStatus::Kind::Refused;
    if (outcome && (over || !isLimit(*outcome))) {
      told.kind = JobStatus::Kind::Ended;
      told.exitCode = outcome->exitCode;
      told.end = JobEnd::Own;
    } else if (begun && runLockHolder(folder.path())) {
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

  // What the script said where the engine said nothing: a module that is not there.
  void finish() {
    if (std::exchange(m_finished, true)) return;
    const SlurmBoard::Part part = m_board->part(*m_task);
    const std::string& messages = m_task->request.stderrPath;
    if (!messages.empty() && fileBytes(messages) == 0)
      if (const auto words = readFile(part.submission.logPath(part.index), kMostLogBytes))
        (void)writeFileAtomically(messages, *words).ok();
    part.submission.finish(part.index, part.of);
  }

  std::shared_ptr<SlurmBoard> m_board;
  std::shared_ptr<SlurmBoard::Task> m_task;
  std::string m_id, m_kept;
  bool m_finished = false;
};

class SlurmPlace : public Place {
 public:
  SlurmPlace(PlaceRecord record, std::string project)
      : m_board(std::make_shared<SlurmBoard>(std::move(record), std::move(project))) {}
  PlaceAbilities abilities() const override { return {.ownQueue = true, .restarts = true}; }
  Result<std::vector<std::unique_ptr<Job>>> submit(std::span<const JobRequest> requests) override {
    std::vector<std::unique_ptr<Job>> jobs;
    for (auto& task : m_board->submit(requests))
      jobs.push_back(std::make_unique<SlurmJob>(m_board, std::move(task)));
    return jobs;
  }
  std::unique_ptr<Job> adopt(const std::string& runPath) override {
    auto task = m_board->adopt(runPath);
    return task ? std::make_unique<SlurmJob>(m_board, std::move(task)) : nullptr;
  }

 private:
  std::shared_ptr<SlurmBoard> m_board;
};

Status checkSlurmHere(const PlaceRecord& record) {
  FATHOM_CHECK(checkSlurmPlace(record));
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
      .check = checkSlurmPlace,
      .ready = checkSlurmHere};
}

}  // namespace fathom
