// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/slurm/slurm_board.h"

#include <algorithm>

#include "app/runner/slurm/slurm_script.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/files/path_facts.h"
#include "core/base/text/lines_of.h"
#include "core/base/text/text_list.h"
#include "core/record/runs/run_folder.h"
#include "core/record/runs/run_lock.h"

namespace fathom {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostLogBytes = std::size_t{1} << 16;

JobStatus waitingFor(const Phrase& reason) {
  return {.kind = JobStatus::Kind::Waiting, .reason = reason};
}

std::string jobName(const std::string& job, std::size_t index, std::size_t of) {
  return of > 1 ? job + "_" + std::to_string(index) : job;
}

bool isCancelled(const std::vector<std::size_t>& cancelled, std::size_t index) {
  return std::find(cancelled.begin(), cancelled.end(), index) != cancelled.end();
}

// Numbers of the jobs that carry the submission's mark: more than one where an answer was lost.
std::vector<std::string> arraysOf(const std::vector<SlurmRow>& rows, const std::string& uuid) {
  std::vector<std::string> arrays;
  for (const SlurmRow& row : rows)
    if (row.comment == slurmComment(uuid) && (arrays.empty() || arrays.back() != row.array))
      arrays.push_back(row.array);
  return arrays;
}

// Runs from the first on that one array can hold: its resources are those of all of them.
std::size_t alikeFrom(const PlaceRecord& record, std::span<const JobRequest> requests) {
  const auto first = slurmSpread(record, requests.front());
  std::size_t count = 1;
  for (; count < requests.size(); ++count) {
    const auto next = slurmSpread(record, requests[count]);
    if (first.ok() != next.ok() || (first.ok() && *first != *next)) break;
  }
  return count;
}

// An answer as one line.
struct SlurmTold {
  Phrase words;
  bool good = false;
};

SlurmTold toldBy(const Result<ChildOutput>& output) {
  if (!output.ok()) return {output.error().phrase()};
  if (output->timedOut) return {Phrase::tr("no answer came")};
  LinesOf lines(output->exitCode == 0 ? output->out : output->err);
  std::string first;
  for (std::string_view line; lines.next(line);)
    if (first.empty()) first = trimmed(line);
  Phrase words = first;
  if (lines.number() > 1) words = Phrase::tr("%1 … (%2 lines)")(first, lines.number());
  if (output->exitCode != 0) words = Phrase::tr("code %1: %2")(output->exitCode, std::move(words));
  return {std::move(words), output->exitCode == 0};
}

}  // namespace

SlurmBoard::SlurmBoard(PlaceRecord record, std::string project)
    : m_record(std::move(record)),
      m_project(std::move(project)),
      m_journal(m_project, m_record.id),
      m_site(openSlurmSite(m_record)) {
  m_questions = std::make_unique<PlaceQuestions>(
      [this](const StopToken& stop) { return ask(stop); },
      [this](const PlaceQuestions::Answers& answers) { hear(answers); }, questionPace());
}

// Files that nobody asks for any more are removed at the last moment, too, where the site is there.
SlurmBoard::~SlurmBoard() {
  m_questions->end();
  tidy(StopToken());
}

// A command, with a line in the journal of the place.
Result<ChildOutput> SlurmBoard::call(const std::vector<std::string>& words, const StopToken& stop) {
  auto output = m_site->ask(words, stop);
  const SlurmTold told = toldBy(output);
  m_journal.say(joined(words, " "), told.words, !told.good);
  if (told.good) m_journal.heard();
  return output;
}

std::vector<std::shared_ptr<SlurmBoard::Task>> SlurmBoard::submit(std::span<const JobRequest> requests) {
  Tasks all;
  std::vector<Sent> parts;
  const auto most = static_cast<std::size_t>(m_record.limits.integer("array"));
  for (std::size_t first = 0, count = 0; first < requests.size(); first += count) {
    count = alikeFrom(m_record, requests.subspan(first, std::min(most, requests.size() - first)));
    parts.push_back({makeUuid(), "", true, count});
    for (std::size_t i = 0; i < count; ++i) {
      auto task = std::make_shared<Task>(Task{.submission = SlurmSubmission(m_project, parts.back().uuid)});
      task->index = i;
      task->of = count;
      task->request = requests[first + i];
      task->attempts = RunFolder(task->request.runPath).lastAttempt();
      task->told = waitingFor(Phrase::tr("being submitted"));
      all.push_back(std::move(task));
    }
  }
  {
    // Before the thread hears of them: it looks for its runs here.
    const std::lock_guard lock(m_guard);
    m_tasks.insert(m_tasks.end(), all.begin(), all.end());
  }
  for (const Sent& part : parts)
    m_questions->post([this, part](const StopToken& stop) {
      m_sent.push_back(part);
      send(m_sent.back(), stop);
      for (Sent& each : m_sent) each.fresh = false;  // every question from here on comes after it
    });
  m_questions->setWanted(true);
  return all;
}

std::shared_ptr<SlurmBoard::Task> SlurmBoard::adopt(const std::string& runPath) {
  const auto run = submittedRun(m_project, m_record.id, runPath);
  if (!run) return nullptr;
  auto task = std::make_shared<Task>(Task{.submission = SlurmSubmission(m_project, run->submission)});
  task->index = run->task;
  task->of = run->tasks;
  task->request = run->request;
  task->attempts = run->attempts;
  task->told = {.kind = JobStatus::Kind::Unknown, .reason = Phrase::tr("not asked yet")};
  const Sent sent{run->submission, task->submission.job(), false, run->tasks};
  {
    const std::lock_guard lock(m_guard);
    m_tasks.push_back(task);
  }
  m_questions->post([this, sent](const StopToken&) {
    const bool known =
        std::any_of(m_sent.begin(), m_sent.end(), [&](const Sent& each) { return each.uuid == sent.uuid; });
    if (!known) m_sent.push_back(sent);
  });
  m_questions->setWanted(true);
  return task;
}

void SlurmBoard::finish(const Task& task) {
  const Part own = part(task);
  if (own.submission.finish(own.index, own.of)) discard(own.submission.uuid());
}

// What is known of it here is changed and removed on the thread alone, which may be copying into it now. Its
// folder here is the note that there is something to remove, and goes last.
void SlurmBoard::discard(const std::string& submission) {
  SlurmSubmission(m_project, submission).markOver();
  {
    const std::lock_guard lock(m_guard);
    m_discarded.insert(submission);
  }
  m_questions->post([this](const StopToken& stop) { tidy(stop); });
}

void SlurmBoard::tidy(const StopToken& stop) {
  std::set<std::string> discarded;
  {
    const std::lock_guard lock(m_guard);
    discarded = m_discarded;
  }
  int failures = 0;
  for (const std::string& submission : discarded) {
    if (!m_site->discard(submission, stop).ok()) {
      if (++failures == 2) return;  // not this one: the site
      continue;
    }
    if (!SlurmSubmission(m_project, submission).remove()) continue;
    const std::lock_guard lock(m_guard);
    m_discarded.erase(submission);
  }
}

// A site that answers gives up what could not be removed before: of this runner, and of those before it.
void SlurmBoard::tidyNow(const StopToken& stop) {
  if (!std::exchange(m_lookedForOver, true)) {
    const auto over = overSubmissions(m_project, m_record.id);
    const std::lock_guard lock(m_guard);
    m_discarded.insert(over.begin(), over.end());
  }
  tidy(stop);
}

void SlurmBoard::release(const std::shared_ptr<Task>& task) {
  bool wanted = false;
  {
    const std::lock_guard lock(m_guard);
    std::erase(m_tasks, task);
    wanted = !m_tasks.empty();
  }
  m_questions->setWanted(wanted);
}

JobStatus SlurmBoard::status(const Task& task) const {
  JobStatus status;
  {
    const std::lock_guard lock(m_guard);
    status = task.told;
  }
  status.silentSeconds = m_questions->silentSeconds();
  if (status.silentSeconds > 0 && status.reason.empty()) status.reason = m_questions->silentReason();
  return status;
}

SlurmBoard::Part SlurmBoard::part(const Task& task) const {
  const std::lock_guard lock(m_guard);
  return {task.submission, task.index, task.of};
}

// Asked for again and again while a site does not answer: one wish at a time waits for it.
void SlurmBoard::cancel(const std::shared_ptr<Task>& task) {
  {
    const std::lock_guard lock(m_guard);
    if (std::exchange(task->cancelling, true)) return;
  }
  m_questions->post([this, task](const StopToken& stop) {
    cancelNow(task, stop);
    const std::lock_guard lock(m_guard);
    task->cancelling = false;
  });
}

// One that the site may have taken without our hearing of it is looked for first.
void SlurmBoard::cancelNow(const std::shared_ptr<Task>& task, const StopToken& stop) {
  const auto sent = std::find_if(m_sent.begin(), m_sent.end(),
                                 [&](const Sent& each) { return each.uuid == task->submission.uuid(); });
  if (sent == m_sent.end()) return;
  if (!sent->job.empty()) {
    return cancelJob(jobName(sent->job, task->index, sent->of), stop);
  }
  if (!isCancelled(sent->cancelled, task->index)) sent->cancelled.push_back(task->index);
  if (!sent->looked) return tell({task}, waitingFor(Phrase::tr("being cancelled")));
  endCancelled(*sent);
  if (sent->cancelled.size() == sent->of) m_sent.erase(sent);
}

void SlurmBoard::cancelJob(const std::string& job, const StopToken& stop) {
  (void)call({"scancel", job}, stop).ok();
}

// They are not at the site.
void SlurmBoard::endCancelled(const Sent& sent) {
  for (const auto& task : tasksOf(sent.uuid))
    if (isCancelled(sent.cancelled, task->index))
      tell({task},
           {.kind = JobStatus::Kind::Ended, .reason = Phrase::tr("cancelled"), .end = JobEnd::Cancelled});
  if (sent.cancelled.size() == sent.of) discard(sent.uuid);
}

SlurmBoard::Tasks SlurmBoard::tasksOf(const std::string& submission) const {
  const std::lock_guard lock(m_guard);
  Tasks tasks;
  for (const auto& task : m_tasks)
    if (task->submission.uuid() == submission) tasks.push_back(task);
  return tasks;
}

void SlurmBoard::tell(const Tasks& tasks, const JobStatus& status) {
  const std::lock_guard lock(m_guard);
  for (const auto& task : tasks) task->told = status;
}

// Every task keeps its number; one that nobody waits for any more leaves a gap.
SlurmSite::Requests SlurmBoard::requestsOf(const Sent& sent, const Tasks& tasks) const {
  SlurmSite::Requests requests(sent.of);
  for (JobRequest& request : requests) {
    if (tasks.empty()) break;
    request.enginePath = tasks.front()->request.enginePath;
    request.ranks = tasks.front()->request.ranks;
  }
  for (const auto& task : tasks) requests[task->index] = task->request;
  return requests;
}

Status SlurmBoard::write(const Sent& sent, const Tasks& tasks) const {
  std::vector<int> attempts(sent.of);
  for (const auto& task : tasks) attempts[task->index] = task->attempts;
  return SlurmSubmission(m_project, sent.uuid).write(m_record, requestsOf(sent, tasks), attempts);
}

// The files are there before sbatch is asked: whatever happens then, it can be found again.
SlurmAnswer SlurmBoard::stage(const Sent& sent, const Tasks& tasks, const StopToken& stop) {
  if (const auto spread = slurmSpread(m_record, tasks.front()->request); !spread.ok())
    return {SlurmAnswer::Kind::Refused, spread.error().phrase()};
  if (const Status written = write(sent, tasks); !written.ok())
    return {SlurmAnswer::Kind::Refused, written.error().phrase()};
  // Data may be on their way for hours: whoever calls all of it off does not wait for them.
  const SlurmSite::Told told = [&](const Phrase& what) -> Status {
    tell(tasks, waitingFor(what));
    const std::lock_guard lock(m_guard);
    const bool wanted =
        std::any_of(tasks.begin(), tasks.end(), [](const auto& task) { return !task->cancelling; });
    return wanted ? Status() : Status(interruptedError());
  };
  return m_site->stage(SlurmSubmission(m_project, sent.uuid), requestsOf(sent, tasks), told, stop);
}

void SlurmBoard::send(Sent& sent, const StopToken& stop) {
  const Tasks tasks = tasksOf(sent.uuid);
  const SlurmSubmission submission(m_project, sent.uuid);
  SlurmAnswer answer{SlurmAnswer::Kind::Taken, {}};
  if ((sent.looked || !submission.isStaged()) && !tasks.empty()) answer = stage(sent, tasks, stop);
  if (answer.kind == SlurmAnswer::Kind::Taken) {
    sent.looked = false;
    answer = m_site->submit(submission, requestsOf(sent, tasks), stop);
    m_journal.say(journalRun(Phrase::words("sbatch"), sent.uuid), answer.words,
                  answer.kind != SlurmAnswer::Kind::Taken);
  }
  switch (answer.kind) {
    case SlurmAnswer::Kind::Taken:
      return take(sent, {answer.words.english()});
    case SlurmAnswer::Kind::Refused:
      discard(submission.uuid());
      tell(tasks, {.kind = JobStatus::Kind::Refused,
                   .reason = answer.words,
                   .field = blamedResource(answer.words.english())});
      std::erase_if(m_sent, [&](const Sent& each) { return each.uuid == submission.uuid(); });
      return;
    case SlurmAnswer::Kind::TooMany:
      if (sent.of > 1 && tasks.size() == sent.of) return halve(sent, answer.words, stop);
      break;
    default:
      break;
  }
  tell(tasks, waitingFor(answer.words));
}

void SlurmBoard::take(Sent& sent, const std::vector<std::string>& jobs) {
  const std::string& job = jobs.front();
  sent.job = job;
  sent.fresh = true;
  (void)SlurmSubmission(m_project, sent.uuid).keepJob(job).ok();
  for (const std::size_t index : sent.cancelled)
    for (const std::string& each : jobs)
      m_questions->post(
          [this, id = jobName(each, index, sent.of)](const StopToken& stop) { cancelJob(id, stop); });
  const std::lock_guard lock(m_guard);
  for (const auto& task : m_tasks) {
    if (task->submission.uuid() != sent.uuid) continue;
    task->told = waitingFor(Phrase::tr("submitted"));
    task->told.job = jobName(job, task->index, sent.of);
  }
}

// The site takes fewer: the first half goes now, as far as it fits, and the rest waits here.
void SlurmBoard::halve(Sent& sent, const Phrase& words, const StopToken& stop) {
  const Tasks tasks = tasksOf(sent.uuid);
  const std::vector<std::size_t> cancelled = sent.cancelled;
  discard(sent.uuid);
  std::erase_if(m_sent, [uuid = sent.uuid](const Sent& each) { return each.uuid == uuid; });
  const std::size_t half = (tasks.size() + 1) / 2;
  std::vector<Sent> parts;
  for (const std::size_t first : {std::size_t{0}, half}) {
    const std::size_t count = first == 0 ? half : tasks.size() - half;
    const std::string uuid = makeUuid();
    Sent part{uuid, "", true, count};
    const std::lock_guard lock(m_guard);
    for (std::size_t i = 0; i < count; ++i) {
      if (isCancelled(cancelled, tasks[first + i]->index)) part.cancelled.push_back(i);
      tasks[first + i]->submission = SlurmSubmission(m_project, uuid);
      tasks[first + i]->index = i;
      tasks[first + i]->of = count;
    }
    parts.push_back(std::move(part));
  }
  for (const Sent& part : parts) {
    const Tasks its = tasksOf(part.uuid);
    (void)write(part, its).ok();
    tell(its, waitingFor(words));
    m_sent.push_back(part);
  }
  const auto first = std::find_if(m_sent.begin(), m_sent.end(),
                                  [&](const Sent& each) { return each.uuid == parts.front().uuid; });
  send(*first, stop);
}

Result<PlaceQuestions::Answers> SlurmBoard::ask(const StopToken& stop) {
  m_stop = stop;
  FATHOM_TRY(const ChildOutput output,
             call({"squeue", "-h", "-r", "--me", "-t", "all", "-o", kSlurmColumns}, stop));
  if (output.timedOut) return unavailableError(Phrase::tr("squeue does not answer"));
  if (output.exitCode != 0)
    return unavailableError(Phrase::tr("squeue left with code %1: %2")(
        output.exitCode, Phrase::words(std::string(trimmed(output.err)))));
  const std::vector<SlurmRow> rows = slurmRows(output.out);
  sendAgain(rows, stop);
  tidyNow(stop);
  PlaceQuestions::Answers answers;
  for (const SlurmRow& row : rows) answers[row.id()] = slurmStatus(row);
  return answers;
}

// Only what was looked for and is not there is submitted again, one in a question: the site may be full.
void SlurmBoard::sendAgain(const std::vector<SlurmRow>& rows, const StopToken& stop) {
  std::vector<std::string> open;
  for (Sent& sent : m_sent) {
    if (!sent.job.empty()) continue;
    const std::vector<std::string> arrays = arraysOf(rows, sent.uuid);
    if (!arrays.empty()) {
      take(sent, arrays);
      continue;
    }
    endCancelled(sent);
    if (sent.cancelled.size() < sent.of) open.push_back(sent.uuid);
  }
  std::erase_if(m_sent,
                [](const Sent& each) { return each.cancelled.size() == each.of && each.job.empty(); });
  for (const std::string& uuid : open) {
    const auto sent =
        std::find_if(m_sent.begin(), m_sent.end(), [&](const Sent& each) { return each.uuid == uuid; });
    if (sent == m_sent.end() || tasksOf(uuid).empty()) continue;
    send(*sent, stop);
    return;
  }
}

void SlurmBoard::hear(const PlaceQuestions::Answers& answers) {
  for (Sent& sent : m_sent) {
    if (sent.job.empty() || std::exchange(sent.fresh, false)) continue;
    for (const auto& task : tasksOf(sent.uuid))
      hearOf(*task, jobName(sent.job, task->index, sent.of), answers);
  }
}

void SlurmBoard::hearOf(Task& task, const std::string& job, const PlaceQuestions::Answers& answers) {
  const auto found = answers.find(job);
  JobStatus status = found == answers.end() ? missing(task, job) : found->second;
  if (found != answers.end()) task.missing = false;
  // A node that is lost and a job that has to make room are requeued by the site a moment later.
  const bool ended = status.kind == JobStatus::Kind::Ended;
  const bool mayComeBack = status.end == JobEnd::Node || status.end == JobEnd::Preempted;
  if (ended && mayComeBack && !std::exchange(task.endSeen, true)) return;
  if (!ended) task.endSeen = false;
  // Its end is told when all that is known of it is here.
  if (ended && !m_site->bring(task.submission, task.index, task.request, m_stop).ok()) return;
  if (ended) addScriptsWords(task, status);
  const std::lock_guard lock(m_guard);
  task.told = status;
}

// A step that passed its memory is killed, and the script goes on: the state of its job is that of any kill.
void SlurmBoard::addScriptsWords(const Task& task, JobStatus& status) {
  if (const auto code = task.submission.exitCode(task.index)) status.exitCode = *code;
  if (status.end != JobEnd::Own || (status.exitCode != kUnknownExit && status.exitCode <= 128)) return;
  const auto log = readFile(task.submission.logPath(task.index), kMostLogBytes);
  const std::string line = log.ok() ? memoryLine(*log) : std::string();
  if (line.empty()) return;
  status.end = JobEnd::Memory;
  status.reason = line;
}

// That a site knows a job no more proves nothing: sites forget. What the script left tells how it ended; one
// that left nothing is lost when nobody holds its run and the site's memory is over.
JobStatus SlurmBoard::missing(Task& task, const std::string& job) {
  JobStatus status;
  {
    const std::lock_guard lock(m_guard);
    status = task.told;
  }
  if (status.kind == JobStatus::Kind::Ended) return status;
  status.job = job;
  const auto now = Clock::now();
  if (!std::exchange(task.missing, true)) task.missingSince = now;
  if (m_site->bring(task.submission, task.index, task.request, m_stop).ok() &&
      task.submission.exitCode(task.index)) {
    status.reason.clear();
    status.kind = JobStatus::Kind::Ended;
    status.end = JobEnd::Own;
    addScriptsWords(task, status);
    return status;
  }
  status.kind = JobStatus::Kind::Unknown;
  status.reason = Phrase::tr("Slurm does not know the job any more");
  const std::chrono::duration<double> gone = now - task.missingSince;
  if (gone.count() < static_cast<double>(m_record.limits.integer("forget_seconds")) ||
      runLockHolder(task.request.runPath))
    return status;
  status.kind = JobStatus::Kind::Ended;
  status.exitCode = kUnknownExit;
  status.end = JobEnd::Own;
  return status;
}

}  // namespace fathom
