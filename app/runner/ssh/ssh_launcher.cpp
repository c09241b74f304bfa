// SPDX-License-Identifier: GPL-3.0-or-later
// Engines on another host, reached by the user's own ssh. Their runs are copied here while they are trained.
#include <QtGlobal>

#include "app/runner/launcher.h"
#include "app/runner/ssh/host_check.h"
#include "app/runner/ssh/host_sums.h"
#include "app/runner/ssh/run_fetch.h"
#include "app/runner/ssh/ssh_board.h"
#include "app/runner/ssh/ssh_line.h"
#include "core/base/files/path_facts.h"
#include "core/record/runs/control_folder.h"

namespace fathom {

namespace {

class SshJob : public Job {
 public:
  SshJob(std::shared_ptr<SshBoard> board, SshBoard::Shared task, std::string id)
      : m_board(std::move(board)), m_task(std::move(task)), m_id(std::move(id)) {}
  ~SshJob() override { m_board->release(m_task); }
  const std::string& id() const override { return m_id; }
  std::optional<int> attemptsBefore() const override { return m_task->start.attempts; }

  JobStatus status() override {
    JobStatus told = m_board->status(*m_task);
    if (told.kind == JobStatus::Kind::Ended && !std::exchange(m_finished, true)) m_board->finish(m_task);
    return told;
  }

  // Wishes are files in the folder of the copy, from whomever they come; the board carries them.
  Status signal(JobSignal what) override {
    const std::string& run = m_task->start.request.runPath;
    const bool there = m_task->sent && !m_task->over && folderExists(run);
    switch (what) {
      case JobSignal::Save:
        return there ? leaveWish(run, "checkpoint") : Status();
      case JobSignal::Stop:
        if (there) return leaveWish(run, "stop");
        break;
      case JobSignal::Abort:
        if (there) return leaveWish(run, "abort");
        break;
      case JobSignal::Kill:
        break;
    }
    m_board->kill(*m_task);
    return {};
  }

 private:
  std::shared_ptr<SshBoard> m_board;
  SshBoard::Shared m_task;
  std::string m_id;
  bool m_finished = false;
};

class SshPlace : public Place {
 public:
  SshPlace(const PlaceRecord& record, std::string project)
      : m_id("host " + record.resources.text("host")),
        m_board(std::make_shared<SshBoard>(record, std::move(project))) {}
  PlaceAbilities abilities() const override { return {.ownQueue = true}; }
  Result<std::vector<std::unique_ptr<Job>>> submit(std::span<const JobRequest> requests) override {
    std::vector<std::unique_ptr<Job>> jobs;
    for (auto& task : m_board->submit(requests))
      jobs.push_back(std::make_unique<SshJob>(m_board, std::move(task), m_id));
    return jobs;
  }
  std::unique_ptr<Job> adopt(const std::string& runPath) override {
    auto task = m_board->adopt(runPath);
    return task ? std::make_unique<SshJob>(m_board, std::move(task), m_id) : nullptr;
  }

 private:
  std::string m_id;
  std::shared_ptr<SshBoard> m_board;
};

}  // namespace

LauncherEntry sshLauncherEntry() {
  return {
      .id = "ssh",
      .title = QT_TRANSLATE_NOOP("Engine", "Host over ssh"),
      .open = [](const PlaceRecord& record, const std::string& project) -> Result<std::unique_ptr<Place>> {
        FATHOM_CHECK(checkSshPlace(record));
        return std::unique_ptr<Place>(new SshPlace(record, project));
      },
      .resources = sshResources(),
      .limits = sshLimits(),
      .hasScript = true,
      .elsewhere = true,
      .check = checkSshPlace,
      .ready = checkSshHere,
      .look = lookAtHost,
      .prepare = prepareHost,
      .measure = measureHost,
      .fetch = fetchFromHost};
}

}  // namespace fathom
