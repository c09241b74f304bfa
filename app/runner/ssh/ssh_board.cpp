// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/ssh/ssh_board.h"

#include <algorithm>

#include "app/runner/place_questions.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json_members.h"
#include "core/base/threads/error_boundary.h"
#include "core/base/threads/thread_start.h"
#include "core/record/runs/carried_wish.h"
#include "core/record/runs/control_folder.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {

constexpr double kTurnSeconds = 0.2, kWishSeconds = 0.5, kDeafSeconds = 45, kUnusedSeconds = 10,
                 kFirstPause = 1, kLastSeconds = 5;
constexpr int kMostStarts = 3;

constexpr Phrase::Text kVerbs[] = {Phrase::tr("hello"),  Phrase::tr("engine"), Phrase::tr("start"),
                                   Phrase::tr("follow"), Phrase::tr("look"),   Phrase::tr("kill"),
                                   Phrase::tr("wish")};

Phrase verbPhrase(const std::string& verb) {
  for (const Phrase::Text& each : kVerbs)
    if (verb == each.english) return each;
  return verb;
}

}  // namespace

std::string runPathAtHost(const JobRequest& request) {
  return "runs/" + request.uuid;
}

SshBoard::SshBoard(PlaceRecord record, std::string project)
    : m_record(std::move(record)), m_project(std::move(project)), m_journal(m_project, m_record.id) {
  m_thread = startThread([this] { work(); });
}

SshBoard::~SshBoard() {
  {
    const std::lock_guard lock(m_guard);
    m_stop.requestAbort();
    m_wake.notify_all();
  }
  m_thread.join();
}

std::vector<SshBoard::Shared> SshBoard::submit(std::span<const JobRequest> requests) {
  std::vector<Shared> all;
  for (const JobRequest& request : requests) {
    SshStart start{m_record.id, {}, RunFolder(request.runPath).lastAttempt(), request};
    auto task = std::make_shared<Task>(std::move(start), JobStatus{.kind = JobStatus::Kind::Waiting}, false);
    all.push_back(std::move(task));
  }
  {
    const std::lock_guard lock(m_guard);
    m_tasks.insert(m_tasks.end(), all.begin(), all.end());
  }
  m_wake.notify_all();
  return all;
}

SshBoard::Shared SshBoard::adopt(const std::string& runPath) {
  auto start = sshStartOf(m_project, m_record.id, runPath);
  if (!start) return nullptr;
  auto task = std::make_shared<Task>(std::move(*start), JobStatus{}, true);
  if (const auto note = mirrorNote(runPath)) task->note = *note;
  {
    const std::lock_guard lock(m_guard);
    m_tasks.push_back(task);
  }
  m_wake.notify_all();
  return task;
}

SshBoard::Shared SshBoard::watch(const JobRequest& request, int attempts) {
  auto task = std::make_shared<Task>(SshStart{m_record.id, {}, attempts, request}, JobStatus{}, true);
  task->watched = true;
  if (const auto note = mirrorNote(request.runPath)) task->note = *note;
  {
    const std::lock_guard lock(m_guard);
    m_tasks.push_back(task);
  }
  m_wake.notify_all();
  return task;
}

void SshBoard::sayAtWork(Task& task, bool atWork) {
  task.atWork = atWork ? AtWork::Yes : AtWork::No;
}

bool SshBoard::settle(Task& task) {
  task.settling = true;
  return task.settled;
}

JobStatus SshBoard::status(const Task& task) const {
  const std::lock_guard lock(m_guard);
  JobStatus status = task.told;
  if (status.kind == JobStatus::Kind::Ended || status.kind == JobStatus::Kind::Refused || !m_silentSince)
    return status;
  status.silentSeconds = std::chrono::duration<double>(Clock::now() - *m_silentSince).count();
  status.reason = m_silentReason;
  return status;
}

void SshBoard::kill(Task& task) {
  task.killing = true;
  m_wake.notify_all();
}

void SshBoard::finish(const Shared& task) {
  // The host forgets the token after this disk has: otherwise the run would look as if it had never begun.
  removeSshStart(m_project, task->start.request.uuid);
  const std::lock_guard lock(m_guard);
  if (!task->start.token.empty()) m_last.push_back({{"verb", "forget"}, {"token", task->start.token}});
}

void SshBoard::release(const Shared& task) {
  const std::lock_guard lock(m_guard);
  std::erase(m_tasks, task);
  if (task->over || task->watched) m_last.push_back({{"verb", "leave"}, {"run", task->start.request.uuid}});
}

SshBoard::Tasks SshBoard::tasks() const {
  const std::lock_guard lock(m_guard);
  return m_tasks;
}

void SshBoard::tell(Task& task, const JobStatus& status) {
  const std::lock_guard lock(m_guard);
  task.told = status;
}

void SshBoard::work() {
  while (!m_stop.stopRequested()) {
    if (tasks().empty() && !m_channel) {
      std::unique_lock lock(m_guard);
      m_wake.wait(lock, [this] { return m_stop.stopRequested() || !m_tasks.empty(); });
      continue;
    }
    if (const auto thrown = errorThrownBy([this] { turn(); })) drop(*thrown, false);
  }
  if (m_channel) (void)errorThrownBy([this] { sayLast(StopToken()); });
}

// One round: listens, and does what has come up meanwhile.
void SshBoard::turn() {
  for (const Shared& task : tasks())
    if (task->killing && !task->sent && !task->over) end(*task, {.kind = JobStatus::Kind::Ended});
  if (!m_channel) {
    if (Clock::now() >= m_next) return connect();
    std::unique_lock lock(m_guard);
    m_wake.wait_for(lock, std::chrono::duration<double>(kTurnSeconds));
    return;
  }
  Status status = m_channel->receive(kTurnSeconds);
  if (status.ok() && m_channel->silentSeconds() > kDeafSeconds)
    status = unavailableError(Phrase::tr("%1: host %2 does not answer")(m_record.id, m_host));
  if (status.ok()) status = carryWishes();
  if (status.ok()) status = followWatched();
  if (status.ok()) startWaiting();
  if (!status.ok()) drop(status.error(), false);
  if (m_channel) m_journal.heard(m_channel->silentSeconds());
  if (!tasks().empty()) m_used = Clock::now();
  if (m_channel && std::chrono::duration<double>(Clock::now() - m_used).count() > kUnusedSeconds)
    m_channel.reset();
}

Result<Json> SshBoard::ask(Json head, std::string_view body, double seconds) {
  if (!m_channel) return unavailableError(Phrase::tr("the connection to %1 is lost")(m_record.id));
  const std::string run = memberText(head, "run");
  const Phrase asked = journalRun(verbPhrase(memberText(head, "verb")), run.substr(run.rfind('/') + 1));
  auto answer = m_channel->ask(std::move(head), body, seconds, m_stop);
  if (answer.ok())
    m_journal.say(asked, Phrase::tr("answered"));
  else
    m_journal.say(asked, answer.error());
  return answer;
}

void SshBoard::connect() {
  SshTrouble trouble;
  auto channel = RelayChannel::open(m_record, {}, m_stop, &trouble);
  if (!channel.ok()) return drop(channel.error(), trouble.lasting);
  m_channel = std::move(*channel);
  m_channel->setTake([this](const RelayFrame& frame) { return take(frame); });
  m_engineKnown = false;
  m_used = Clock::now();
  if (const Status status = greeted(); !status.ok()) drop(status.error(), !m_channel->isLost());
}

Status SshBoard::greeted() {
  FATHOM_TRY(const Json facts, ask({{"verb", "hello"}}));
  m_host = memberText(facts, "host");
  m_root = memberText(facts, "root");
  // What runs there is copied all the same.
  const Status root = checkHostRoot(m_record, facts);
  m_rootFault = root.ok() ? std::nullopt : std::optional(root.error());
  Tasks started;
  for (const Shared& task : tasks()) {
    task->followed = false;
    task->mark = 0;
    if (task->sent && !task->over) started.push_back(task);
  }
  FATHOM_CHECK(follow(started));
  m_connected = Clock::now();
  const std::lock_guard lock(m_guard);
  m_silentSince.reset();
  m_silentReason.clear();
  return {};
}

// The connection is gone, or was not made. What runs there goes on, and is as it was.
void SshBoard::drop(const Error& why, bool lasting) {
  m_channel.reset();
  if (!m_stop.stopRequested()) m_journal.say(Phrase::tr("connection"), why);
  const double first = std::min(kFirstPause, questionPace().first), most = questionPace().most;
  // One that ends soon after it was made may do so each time.
  const auto connected = std::exchange(m_connected, std::nullopt);
  if (connected && std::chrono::duration<double>(Clock::now() - *connected).count() >= most) m_pause = 0;
  m_pause = m_pause == 0 ? first : std::min(2 * m_pause, most);
  m_next = Clock::now() + std::chrono::milliseconds(static_cast<std::int64_t>(m_pause * 1000));
  if (m_stop.stopRequested()) return;
  {
    const std::lock_guard lock(m_guard);
    if (!m_silentSince) m_silentSince = Clock::now();
    m_silentReason = why.phrase();
  }
  // No run of ours is there: whoever queued the runs is told at once.
  const Tasks all = tasks();
  if (lasting && std::none_of(all.begin(), all.end(), [](const Shared& task) { return task->sent.load(); }))
    refuseWaiting(why.phrase());
}

void SshBoard::refuseWaiting(const Phrase& why) {
  for (const Shared& task : tasks())
    if (!task->sent && !task->over) tell(*task, {.kind = JobStatus::Kind::Refused, .reason = why});
}

Status SshBoard::follow(const Tasks& tasks) {
  Json runs = Json::array();
  const bool all = m_record.resources.flag("checkpoints"), best = m_record.resources.flag("keep_best");
  for (const Shared& task : tasks) {
    FATHOM_TRY(const KnownFiles known, task->mirror.known(checkpointWish(all, best)));
    Json run = knownFilesToJson(known);
    run["id"] = run["uuid"] = task->start.request.uuid;
    run["run"] = runPathAtHost(task->start.request);
    run["token"] = task->start.token;
    run["checkpoints"] = all;
    run["best"] = best;
    runs.push_back(std::move(run));
  }
  if (runs.empty()) return {};
  FATHOM_TRY(const Json answer, ask({{"verb", "follow"}, {"runs", std::move(runs)}}));
  for (const Shared& task : tasks) task->followed = true;
  return {};
}

// Runs that others start: new ones, and those that somebody waits for the end of.
Status SshBoard::followWatched() {
  Tasks watched = tasks(), fresh;
  std::erase_if(watched, [](const Shared& task) { return !task->watched; });
  for (const Shared& task : watched)
    if (!task->followed) fresh.push_back(task);
  FATHOM_CHECK(follow(fresh));
  for (const Shared& task : watched) {
    if (task->settling && task->mark == 0) {
      task->mark = ++m_marks;
      const Json head = {{"verb", "look"}, {"run", task->start.request.uuid}, {"mark", task->mark}};
      FATHOM_TRY(const Json answer, ask(head));
    }
    const AtWork said = task->atWork;
    if (said != AtWork::Unsaid && !task->note.host.empty()) note(*task, task->held || said == AtWork::Yes);
  }
  return {};
}

Status SshBoard::take(const RelayFrame& frame) {
  const std::string uuid = memberText(frame.head, "run");
  for (const Shared& task : tasks()) {
    if (task->start.request.uuid != uuid || task->over) continue;
    const bool state = frame.head.contains("state");
    if (!state && task->watched && task->note.host.empty()) note(*task, true);
    if (!state) return task->mirror.take(frame);
    if (task->watched) {
      takeWatched(*task, frame);
      continue;
    }
    takeState(*task, memberObject(frame.head, "state"));
  }
  return {};
}

void SshBoard::takeState(Task& task, const Json& state) {
  const bool held = state.contains("holder");
  if (!held && !memberFlag(state, "alive", false)) return takeEnd(task, state);
  note(task, true);
  const std::int64_t pid = held ? memberInteger(memberObject(state, "holder"), "pid") : 0;
  tell(task, {.kind = JobStatus::Kind::Running,
              .reason = folderFault(task, state),
              .job = m_host + (pid > 0 ? " process " + std::to_string(pid) : std::string())});
}

// Why nothing more of the run comes while its engine is at work; "" = it comes.
Phrase SshBoard::folderFault(const Task& task, const Json& state) const {
  if (memberFlag(state, "other", false))
    return Phrase::tr("its folder on host %1 holds another run; what is here stays")(m_host);
  if (memberFlag(state, "exists", false) || RunFolder(task.start.request.runPath).lastAttempt() == 0)
    return {};
  return Phrase::tr("its folder on host %1 is not there any more; what is here stays")(m_host);
}

// An answer to the question that settles it comes after all that was written before it.
void SshBoard::takeWatched(Task& task, const RelayFrame& frame) {
  task.held = memberObject(frame.head, "state").contains("holder");
  if (task.held || task.mark == 0 || memberInteger(frame.head, "mark") != task.mark) return;
  task.atWork = AtWork::No;
  if (!task.note.host.empty()) note(task, false);
  task.settled = true;
}

void SshBoard::takeEnd(Task& task, const Json& state) {
  const RunFolder folder(task.start.request.runPath);
  const int last = folder.exists() ? folder.lastAttempt() : 0;
  const auto outcome = last > task.start.attempts ? folder.outcome(last) : std::nullopt;
  const std::string words = memberText(state, "words");
  JobStatus told{.kind = JobStatus::Kind::Ended, .reason = outcome ? Phrase() : folderFault(task, state)};
  if (outcome || state.contains("code")) {
    told.exitCode = outcome ? outcome->exitCode : static_cast<int>(memberInteger(state, "code"));
    return end(task, told, words);
  }
  const bool claimed = memberFlag(state, "claimed", false), begun = memberFlag(state, "begun", false);
  // The request was lost, or whoever took it was before the engine was there: nothing runs.
  if ((!claimed || !begun) && last <= task.start.attempts && task.starts < kMostStarts) {
    if (claimed) task.start.token.clear();
    task.starts++;
    task.sent = false;
    return tell(task, {.kind = JobStatus::Kind::Waiting});
  }
  if (memberFlag(state, "rebooted", false)) told.end = JobEnd::Node;
  end(task, told, words);
}

void SshBoard::end(Task& task, JobStatus status, const std::string& words) {
  const std::string& messages = task.start.request.stderrPath;
  if (!words.empty() && !messages.empty() && fileBytes(messages) == 0)
    (void)writeFileAtomically(messages, words).ok();
  if (task.sent) note(task, false);
  task.over = true;
  tell(task, status);
}

// Made with the folder of the copy: whoever looks at the run here sees that an engine is at work there.
void SshBoard::note(Task& task, bool running) {
  const MirrorNote now{m_record.id, m_host, m_root + "/" + runPathAtHost(task.start.request), running};
  if (now == task.note || !makeFolders(task.start.request.runPath).ok()) return;
  if (writeMirrorNote(task.start.request.runPath, now).ok()) task.note = now;
}

Status SshBoard::carryWishes() {
  const auto now = Clock::now();
  if (std::chrono::duration<double>(now - m_wishes).count() < kWishSeconds) return {};
  m_wishes = now;
  for (const Shared& task : tasks()) {
    if (!task->sent || task->over) continue;
    const JobRequest& request = task->start.request;
    if (task->killing.exchange(false)) {
      const auto killed = ask({{"verb", "kill"},
                               {"run", runPathAtHost(request)},
                               {"uuid", request.uuid},
                               {"token", task->start.token}});
      if (!killed.ok()) task->killing = true;
      if (m_channel->isLost()) return killed.error();
    }
    for (const ControlWish& wish : takeWishes(request.runPath, task->heeded)) {
      const auto carried = ask({{"verb", "wish"},
                                {"run", runPathAtHost(request)},
                                {"uuid", request.uuid},
                                {"command", wish.command},
                                {"by", wish.asker}});
      if (!carried.ok()) (void)leaveWishOf(wish.asker, request.runPath, wish.command).ok();
      if (m_channel->isLost()) return carried.error();
    }
  }
  sayLast(m_stop);
  return m_channel->isLost()
             ? Status(unavailableError(Phrase::tr("the connection to %1 is lost")(m_record.id)))
             : Status();
}

void SshBoard::sayLast(const StopToken& stop) {
  std::vector<Json> last;
  {
    const std::lock_guard lock(m_guard);
    last.swap(m_last);
    // The next attempt of a run is followed under the same name.
    std::erase_if(last, [&](const Json& head) {
      return std::any_of(m_tasks.begin(), m_tasks.end(), [&](const Shared& task) {
        return memberText(head, "run") == task->start.request.uuid;
      });
    });
  }
  for (Json& head : last) {
    if (m_channel->isLost() || m_channel->ask(head, {}, kLastSeconds, stop).ok() || !stop.stopRequested())
      continue;
    const std::lock_guard lock(m_guard);  // said once more at the very end
    m_last.push_back(std::move(head));
  }
}

void SshBoard::startWaiting() {
  const Tasks all = tasks();
  const auto most = static_cast<std::ptrdiff_t>(m_record.limits.integer("running"));
  for (const Shared& task : all) {
    if (!m_channel || task->sent || task->over || task->killing) continue;
    const auto status = this->status(*task);
    if (status.kind != JobStatus::Kind::Waiting) continue;
    const auto running =
        std::count_if(all.begin(), all.end(), [](const Shared& each) { return each->sent && !each->over; });
    if (running >= most) return;
    const Status begun = begin(*task);
    if (begun.ok()) continue;
    if (m_stop.stopRequested()) return;
    // One that may train is followed by the next connection.
    if (m_channel->isLost() || task->sent) return drop(begun.error(), false);
    if (task->killing) continue;
    tell(*task, {.kind = JobStatus::Kind::Refused, .reason = begun.error().phrase()});
  }
}

}  // namespace fathom
