// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/runner/place_journal.h"
#include "app/runner/place_questions.h"
#include "app/runner/slurm/slurm_answers.h"
#include "app/runner/slurm/slurm_site.h"
#include "app/runner/slurm/slurm_submission.h"

namespace fathom {

// All that a runner has at one Slurm. Its site is talked with on the thread of the questions alone; the other
// functions come back at once.
class SlurmBoard {
 public:
  // A run of a submission. Where a site takes fewer than were asked for, it moves to another one.
  struct Task {
    SlurmSubmission submission;  // guarded by the board, as the next two are
    std::size_t index = 0, of = 1;
    JobRequest request;
    int attempts = 0;                                      // of the run, before
    JobStatus told = {};                                   // guarded
    bool cancelling = false;                               // asked for, and not tried yet; guarded
    std::chrono::steady_clock::time_point missingSince{};  // of the thread, as is endSeen
    bool missing = false, endSeen = false;
  };
  // A task's place in a submission.
  struct Part {
    SlurmSubmission submission;
    std::size_t index, of;
  };
  SlurmBoard(PlaceRecord record, std::string project);
  ~SlurmBoard();

  std::vector<std::shared_ptr<Task>> submit(std::span<const JobRequest> requests);
  // The run of a submission on the disk; null where there is none.
  std::shared_ptr<Task> adopt(const std::string& runPath);
  // Its end was heard; what is kept of a submission goes with its last run.
  void finish(const Task& task);
  void release(const std::shared_ptr<Task>& task);
  JobStatus status(const Task& task) const;
  Part part(const Task& task) const;
  void cancel(const std::shared_ptr<Task>& task);
  const PlaceRecord& record() const { return m_record; }
  int questions() const { return m_questions->asked(); }

 private:
  using Tasks = std::vector<std::shared_ptr<Task>>;
  struct Sent {
    std::string uuid, job;  // job "": nobody knows whether it was taken
    bool looked = false;    // nothing was submitted yet: nothing can be found
    std::size_t of = 1;
    bool fresh = false;                       // taken after the answer that is heard now
    std::vector<std::size_t> cancelled = {};  // while nobody knew whether it was taken
  };
  Tasks tasksOf(const std::string& submission) const;
  void tell(const Tasks& tasks, const JobStatus& status);
  void send(Sent& sent, const StopToken& stop);
  void take(Sent& sent, const std::vector<std::string>& jobs);  // at least one
  void cancelNow(const std::shared_ptr<Task>& task, const StopToken& stop);
  void endCancelled(const Sent& sent);
  void halve(Sent& sent, const Phrase& words, const StopToken& stop);
  Result<PlaceQuestions::Answers> ask(const StopToken& stop);
  void sendAgain(const std::vector<SlurmRow>& rows, const StopToken& stop);
  void hear(const PlaceQuestions::Answers& answers);
  void hearOf(Task& task, const std::string& job, const PlaceQuestions::Answers& answers);
  JobStatus missing(Task& task, const std::string& job);
  static void addScriptsWords(const Task& task, JobStatus& status);
  void cancelJob(const std::string& job, const StopToken& stop);
  Result<ChildOutput> call(const std::vector<std::string>& words, const StopToken& stop);
  SlurmSite::Requests requestsOf(const Sent& sent, const Tasks& tasks) const;
  Status write(const Sent& sent, const Tasks& tasks) const;
  SlurmAnswer stage(const Sent& sent, const Tasks& tasks, const StopToken& stop);
  void discard(const std::string& submission);
  void tidy(const StopToken& stop);
  void tidyNow(const StopToken& stop);

  PlaceRecord m_record;
  std::string m_project;
  mutable std::mutex m_guard;
  Tasks m_tasks;                      // guarded, as is the next one
  std::set<std::string> m_discarded;  // submissions that are over and still have files, there or here
  bool m_lookedForOver = false;       // of the thread: those of runners before this one
  std::vector<Sent> m_sent;           // of the thread, as are the journal and the site
  PlaceJournal m_journal;
  std::unique_ptr<SlurmSite> m_site;
  StopToken m_stop;  // of the question that is answered now
  std::unique_ptr<PlaceQuestions> m_questions;
};

}  // namespace fathom
