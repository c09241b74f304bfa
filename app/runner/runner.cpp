// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/runner.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <thread>

#include "app/runner/engine_messages.h"
#include "app/runner/runner_program.h"
#include "app/runner/save_signal.h"
#include "core/base/errors/error_key.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/one_folder.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/process_identity.h"
#include "core/base/files/temporary_file.h"
#include "core/record/runs/exit_code.h"
#include "core/record/runs/project_folder.h"
#include "core/record/runs/run_lock.h"

namespace fathom {

namespace {

// Exit codes by which a shell and the loader of programs tell that one cannot be executed or lacks a library.
constexpr int kNotExecutable = 126;
constexpr int kNotFound = 127;

// An engine that was cut off before its first attempt leaves no run: it starts anew.
bool hasBegun(const RunFolder& folder) {
  return folder.exists() && folder.lastAttempt() > 0;
}

}  // namespace

Runner::Runner(RunnerOptions options) : m_options(std::move(options)), m_queue(m_options.project) {}

Runner::~Runner() = default;

void Runner::log(const std::string& line) const {
  if (m_options.log) m_options.log(line);
}

std::string Runner::startingPath(const std::string& uuid, const char* suffix) const {
  return m_queue.startingPath() + "/" + uuid + suffix;
}

Result<std::optional<RunnerStatus>> Runner::run(const StopToken& stop) {
  FATHOM_CHECK(makeOneFolder(m_queue.path()));
  FATHOM_CHECK(makeOneFolder(m_queue.startingPath()));
  // A copy by a program that leaves out empty folders has none.
  FATHOM_CHECK(makeOneFolder(ProjectFolder(m_options.project).runsPath()));
  while (true) {
    FATHOM_TRY(auto lock, m_queue.lockRunner());
    if (!lock) return std::optional<RunnerStatus>();
    for (const std::string& folder : {m_queue.path(), m_queue.startingPath()})
      sweepTemporaries(folder, TemporaryOwner::Unknown);
    FATHOM_CHECK(takeOver());
    while (!stop.stopRequested()) {
      if (!lock->inPlace())
        return aboutFile(
            m_options.project,
            unavailableError(Phrase::tr("the project is not where it was: %1")(m_options.project),
                             Phrase::tr("its running engines go on where they find their folder")));
      FATHOM_CHECK(poll());
      FATHOM_CHECK(fillSlots());
      if (m_options.onPoll) m_options.onPoll(status());
      m_awake.watch(std::any_of(m_active.begin(), m_active.end(),
                                [](const Active& active) { return !active.device.empty(); }));
      m_sampler.watch(sampledRuns());
      if (m_cannotStart && m_active.empty()) return *m_cannotStart;
      FATHOM_TRY(const bool nothingLeft, idle());
      if (nothingLeft) break;
      std::this_thread::sleep_for(std::chrono::duration<double>(m_options.pollSeconds));
    }
    lock.reset();
    if (stop.stopRequested()) {
      if (!m_active.empty())
        log("leaving " + std::to_string(m_active.size()) + " running engines to the next runner");
      return std::optional(status());
    }
    // Whoever adds an entry looks for a runner afterwards: one that came between our last look and the end of
    // our lock is ours to see.
    FATHOM_TRY(const bool nothingCame, idle());
    if (nothingCame && m_refused) return *m_refused;
    if (nothingCame) return std::optional(status());
  }
}

// After a runner that has died: entries whose engine has gone too wait again, the others are watched on. What
// waits elsewhere has no engine yet and is no orphan: it is asked for first, or it would be there twice.
Status Runner::takeOver() {
  FATHOM_TRY(m_settings, m_queue.settings());
  m_slots.configure(m_options.devices, m_settings);
  for (const bool elsewhere : {true, false}) {
    if (!elsewhere) {
      FATHOM_TRY(const int orphans, m_queue.releaseOrphans());
      if (orphans > 0) log("giving back " + std::to_string(orphans) + " entries of a runner that is gone");
    }
    FATHOM_TRY(const auto entries, m_queue.entries());
    for (const QueueEntry& entry : entries) {
      if (!m_queue.orphaned(entry)) continue;
      Place* place = placeOf(entry);
      if (place == nullptr || (elsewhere && !place->abilities().ownQueue)) continue;
      if (auto job = place->adopt(entry.runPath)) FATHOM_CHECK(watchOn(entry, std::move(job)));
    }
  }
  return {};
}

Status Runner::watchOn(const QueueEntry& entry, std::unique_ptr<Job> job) {
  FATHOM_TRY(const QueueEntry ours, m_queue.adopt(entry));
  log("run " + entry.uuid + ": watching " + job->id());
  const bool queues = placeOf(entry)->abilities().ownQueue;
  const std::string device = queues ? "" : m_slots.freeDevice(entry.device, ranksOfEntry(entry));
  if (!device.empty()) m_slots.take(device, ranksOfEntry(ours));
  const int before = job->attemptsBefore().value_or(0);
  m_active.push_back({ours, device, std::move(job), {}, memoryKillsAt(entry), before});
  return {};
}

Place* Runner::placeOf(const QueueEntry& entry) {
  const auto known = m_places.find(entry.place);
  if (known != m_places.end()) return known->second.get();
  auto opened = openPlace(m_options.project, entry.place);
  if (opened.ok()) return m_places.emplace(entry.place, std::move(*opened)).first->second.get();
  if (m_unknownPlaces.insert(entry.place).second)
    log("run " + entry.uuid + " waits on: " + opened.error().text());
  return nullptr;
}

// Only this machine's groups are ours to look at.
std::int64_t Runner::memoryKillsAt(const QueueEntry& entry) const {
  const auto place = m_places.find(entry.place);
  return place != m_places.end() && place->second->abilities().knowsMemoryKill ? memoryKills() : 0;
}

bool Runner::canStart(const QueueEntry& entry) const {
  if (m_unknownPlaces.contains(entry.place)) return false;
  const auto place = m_places.find(entry.place);
  return (place != m_places.end() && place->second->abilities().ownQueue) ||
         m_slots.possible(entry.device, ranksOfEntry(entry));
}

Status Runner::fillSlots() {
  FATHOM_TRY(const auto aside, m_queue.putAside());
  for (const Error& error : aside) {
    log("put aside: " + error.text());
    m_counts.putAside.push_back(error);
  }
  FATHOM_TRY(m_settings, m_queue.settings());
  m_slots.configure(m_options.devices, m_settings);
  FATHOM_TRY(const auto entries, m_queue.entries());
  m_counts.waiting = 0;
  std::map<std::string, std::vector<QueueEntry>> together;
  for (const QueueEntry& entry : entries) {
    if (entry.claimed()) continue;
    ++m_counts.waiting;
    if (m_settings.paused || m_cannotStart) continue;
    const Place* place = placeOf(entry);
    if (place == nullptr || m_unknownPlaces.contains(entry.place)) continue;
    const bool queues = place->abilities().ownQueue;
    const std::string device = queues ? "" : m_slots.freeDevice(entry.device, ranksOfEntry(entry));
    if (device.empty() && !queues) continue;
    FATHOM_TRY(const auto claimed, m_queue.claimEntry(entry.uuid));
    if (!claimed) continue;
    --m_counts.waiting;
    if (queues) {
      together[entry.place].push_back(*claimed);
    } else {
      FATHOM_CHECK(startEntry(*claimed, device));
    }
  }
  for (auto& [place, claimed] : together) FATHOM_CHECK(startTogether(place, std::move(claimed)));
  return {};
}

// An entry given back by a runner that died: the run may have ended, or been cut off.
Result<bool> Runner::prepareEntry(Active& active) {
  if (active.entry.resume || !hasBegun(RunFolder(active.entry.runPath))) return true;
  FATHOM_TRY(const bool over, attemptEnded(active, {.kind = JobStatus::Kind::Ended}));
  active.restartAt = Clock::now();
  if (!over) m_active.push_back(std::move(active));
  return false;
}

Status Runner::startEntry(QueueEntry entry, const std::string& device) {
  const int ranks = ranksOfEntry(entry);
  Active active{std::move(entry), device, nullptr, {}, 0, 0};
  const std::size_t before = m_active.size();
  FATHOM_TRY(const bool fresh, prepareEntry(active));
  if (fresh) {
    if (const Status launched = launch(active); !launched) return handBack(active, launched.error());
    m_active.push_back(std::move(active));
  }
  if (!device.empty() && m_active.size() > before) m_slots.take(device, ranks);
  return {};
}

Status Runner::startTogether(const std::string& place, std::vector<QueueEntry> entries) {
  std::vector<Active> fresh;
  std::vector<JobRequest> requests;
  Place& site = *m_places.at(place);
  for (QueueEntry& entry : entries) {
    // A runner that could not open the place has given back what waits there: it is not asked for twice.
    if (auto job = site.adopt(entry.runPath)) {
      FATHOM_CHECK(watchOn(entry, std::move(job)));
      continue;
    }
    Active active{std::move(entry), "", nullptr, {}, 0, 0};
    FATHOM_TRY(const bool starts, prepareEntry(active));
    if (!starts) continue;
    FATHOM_TRY(JobRequest request, requestFor(active));
    requests.push_back(std::move(request));
    fresh.push_back(std::move(active));
  }
  if (fresh.empty()) return {};
  auto jobs = site.submit(requests);
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    if (!jobs.ok()) {
      FATHOM_CHECK(putBack(fresh[i], jobs.error().text()));
      continue;
    }
    fresh[i].job = std::move((*jobs)[i]);
    tellStart(fresh[i], requests[i]);
    m_active.push_back(std::move(fresh[i]));
  }
  return {};
}

Result<JobRequest> Runner::requestFor(Active& active) const {
  JobRequest request;
  request.enginePath = m_options.enginePath;
  request.runPath = active.entry.runPath;
  request.uuid = active.entry.uuid;
  request.stderrPath = startingPath(active.entry.uuid, ".stderr");
  request.neededBytes = active.entry.neededBytes;
  request.threads = m_slots.threadsFor(active.device);
  request.ranks = ranksOfEntry(active.entry);
  const RunFolder folder(active.entry.runPath);
  const bool resume = hasBegun(folder);
  if (!resume) {
    FATHOM_TRY(request.configPath, writeEngineConfig(active.entry, active.device));
  }
  active.memoryKillsBefore = memoryKillsAt(active.entry);
  active.attemptsBefore = resume ? folder.lastAttempt() : 0;
  return request;
}

Status Runner::launch(Active& active) {
  FATHOM_TRY(const JobRequest request, requestFor(active));
  Place* place = placeOf(active.entry);
  if (place == nullptr) return internalError("a run was claimed for the place " + active.entry.place);
  FATHOM_TRY(auto jobs, place->submit({&request, 1}));
  active.job = std::move(jobs.front());
  tellStart(active, request);
  return {};
}

void Runner::tellStart(const Active& active, const JobRequest& request) const {
  log("run " + active.entry.uuid + ": " + (request.configPath.empty() ? "resumed" : "started") + " on " +
      (active.device.empty() ? active.entry.place
                             : active.device + " with " + std::to_string(request.threads) + " threads") +
      ", " + active.job->id());
}

// Told when it changes; how long a silence lasts is no change.
void Runner::noteJob(Active& active, const JobStatus& job) {
  PlaceNote note = placeNote(active.entry.place, job);
  if (!note.silentFrom.empty() && !active.note.silentFrom.empty()) note.silentFrom = active.note.silentFrom;
  if (note == active.note) return;
  active.note = note;
  log("run " + active.entry.uuid + ": " + note.state + " at " + placeText(note));
  (void)writePlaceNote(m_options.project, active.entry.uuid, note).ok();
}

void Runner::keepPlace(Active& active, const JobStatus& job, const std::string& end) {
  const std::string host = active.device.empty() ? std::string() : hostName();
  keepAttemptPlace(active.entry.runPath, active.attemptsBefore, {active.entry.place, job.job, host, end},
                   active.placed);
}

Status Runner::putBack(const Active& active, const std::string& why, const std::string& field) {
  log("run " + active.entry.uuid + " waits on: " + active.entry.place + " does not take it: " + why);
  m_unknownPlaces.insert(active.entry.place);
  const Phrase wait = Phrase::tr("The runs wait in the queue.");
  m_refused = aboutKey(
      field,
      unavailableError(
          Phrase::tr("%1 does not take the run: %2")(active.entry.place, why),
          field.empty() ? wait : Phrase::tr("Change '%1' of the place; the runs wait in the queue.")(field)));
  ++m_counts.waiting;
  removePlaceNote(m_options.project, active.entry.uuid);
  std::error_code code;
  std::filesystem::remove(startingPath(active.entry.uuid, ".json"), code);
  return m_queue.release(active.entry);
}

Result<std::string> Runner::writeEngineConfig(const QueueEntry& entry, const std::string& device) const {
  Json config = entry.config;
  if (m_options.knowsThreads && !device.empty()) {
    Json& options = config["options"];
    if (options.value("device", "auto") == "auto") options["device"] = device;
    if (options.value("threads", 0) == 0) options["threads"] = m_slots.threadsFor(device);
  }
  const std::string path = startingPath(entry.uuid, ".json");
  FATHOM_CHECK(writeFileAtomically(path, config.dump(2) + "\n"));
  return path;
}

Status Runner::poll() {
  const bool save = takeSaveWish();
  for (std::size_t i = 0; i < m_active.size();) {
    Active& active = m_active[i];
    bool over = false;
    active.begun = active.begun || hasBegun(RunFolder(active.entry.runPath));
    if (active.job && save) (void)active.job->signal(JobSignal::Save).ok();
    if (active.job) {
      freeOldMessages(startingPath(active.entry.uuid, ".stderr"));
      const JobStatus job = active.job->status();
      const PlaceAbilities place = placeOf(active.entry)->abilities();
      if (job.kind == JobStatus::Kind::Ended) {
        FATHOM_TRY(over, attemptEnded(active, job));
      } else if (job.kind == JobStatus::Kind::Refused) {
        FATHOM_CHECK(putBack(active, job.reason, job.field));
        over = true;
      } else {
        if (place.ownQueue) noteJob(active, job);
        if (active.begun) keepPlace(active, job);
        endAborted(active);
        if (!place.restarts) endLingering(active);
      }
    } else if (active.begun && !RunFolder(active.entry.runPath).exists()) {
      FATHOM_TRY(over, attemptEnded(active, {.kind = JobStatus::Kind::Ended}));
    } else if (isMarkedAborted(m_options.project, active.entry.uuid)) {
      FATHOM_TRY(over, attemptEnded(active, {.kind = JobStatus::Kind::Ended}));
    } else if (Clock::now() >= active.restartAt) {
      FATHOM_CHECK(launch(active));
    }
    if (!over) {
      ++i;
      continue;
    }
    if (!active.device.empty()) m_slots.release(active.device, ranksOfEntry(active.entry));
    m_active.erase(m_active.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return {};
}

// Kills an engine that has not ended after an abort: one that hangs in a library, or is stopped, ignores it.
void Runner::endAborted(Active& active) {
  if (!isMarkedAborted(m_options.project, active.entry.uuid)) {
    active.abortSeen.reset();
    return;
  }
  if (!active.abortSeen) active.abortSeen = Clock::now();
  const std::chrono::duration<double> waited = Clock::now() - *active.abortSeen;
  if (waited.count() < m_options.abortSeconds) return;
  log("run " + active.entry.uuid + ": did not heed the abort, killing " + active.job->id());
  (void)active.job->signal(JobSignal::Kill).ok();  // asked again until it has gone
  active.abortSeen = Clock::now();
}

// Ends a process whose end is written down, whatever a library does while the process is taken down.
void Runner::endLingering(Active& active) {
  const RunFolder folder(active.entry.runPath);
  const int attempt = folder.lastAttempt();
  if (attempt <= active.attemptsBefore || !fileExists(folder.outcomePath(attempt))) {
    active.endSeen.reset();
    return;
  }
  if (!active.endSeen) active.endSeen = Clock::now();
  const std::chrono::duration<double> waited = Clock::now() - *active.endSeen;
  if (waited.count() < m_options.lingerSeconds) return;
  log("run " + active.entry.uuid + ": has ended, and its " + active.job->id() + " has not: killed");
  (void)active.job->signal(JobSignal::Kill).ok();
  active.endSeen = Clock::now();
}

// The engine would not go on with a run that is there (another configuration, another writer): the run stays
// as it was.
bool Runner::refused(const Active& active, int exitCode) const {
  const bool verdict = exitCode == static_cast<int>(ExitCode::Usage) ||
                       exitCode == static_cast<int>(ExitCode::BadInput) ||
                       exitCode == static_cast<int>(ExitCode::Finished);
  return verdict && active.attemptsBefore > 0 &&
         RunFolder(active.entry.runPath).lastAttempt() == active.attemptsBefore;
}

// The engine ended before it was one: what it lacks, every run of the queue would lack.
bool Runner::neverStarted(const Active& active, int exitCode) const {
  return (exitCode == kNotExecutable || exitCode == kNotFound) &&
         RunFolder(active.entry.runPath).lastAttempt() == active.attemptsBefore;
}

Status Runner::handBack(const Active& active, const Error& why) {
  log("run " + active.entry.uuid + ": the engine does not start, the run waits on: " + why.text());
  m_cannotStart = why;
  ++m_counts.waiting;
  std::error_code code;
  for (const char* suffix : {".stderr", ".json"})
    std::filesystem::remove(startingPath(active.entry.uuid, suffix), code);
  return m_queue.release(active.entry);
}

Result<bool> Runner::attemptEnded(Active& active, const JobStatus& job) {
  const QueueEntry& entry = active.entry;
  const int exitCode = job.exitCode;
  active.job.reset();
  active.note = {};
  removePlaceNote(m_options.project, entry.uuid);
  if (neverStarted(active, exitCode)) {
    const std::string words = lastMessageOf(startingPath(entry.uuid, ".stderr"));
    FATHOM_CHECK(handBack(active, unavailableError(Phrase::tr("the engine does not start: %1")(words),
                                                   Phrase::tr("The runs wait in the queue."))));
    return true;
  }
  AttemptEnd end;
  end.attemptsBefore = active.attemptsBefore;
  end.exitCode = exitCode;
  end.by = job.end;
  end.placeWords = job.reason;
  end.memoryKill = memoryKillsAt(active.entry) > active.memoryKillsBefore;
  end.aborted = isMarkedAborted(m_options.project, entry.uuid);
  end.lastMessage = lastMessageOf(startingPath(entry.uuid, ".stderr"));
  if (active.begun && !RunFolder(entry.runPath).exists()) {
    log("run " + entry.uuid + ": its folder is not there any more");
    FATHOM_CHECK(leave(active, RunState::Lost));
    return true;
  }
  if (refused(active, exitCode)) {
    log("run " + entry.uuid + ": the engine refused to go on: " + end.lastMessage);
    FATHOM_CHECK(leave(active, RunState::Failed));
    return true;
  }
  const RunIdentity identity{entry.uuid, entry.config.value("name", ""), "", Json::object(), {}};
  FATHOM_TRY(const RunOutcome outcome, settleAttempt(entry.runPath, identity, entry.config, end));
  keepPlace(active, job, outcome.state == RunState::Stopped ? outcome.cause : std::string());
  log("run " + entry.uuid + ": " + runStateName(outcome.state) +
      (outcome.message.empty() ? "" : " (" + outcome.message.english() + ")"));
  if (end.aborted || !mayRestart(entry.runPath, outcome, m_settings.maxRestartsPerHour)) {
    FATHOM_CHECK(leave(active, outcome.state));
    return true;
  }
  const double wait = m_options.restartSeconds * std::pow(2.0, recentFaults(entry.runPath) - 1);
  active.restartAt = Clock::now() + std::chrono::milliseconds(static_cast<std::int64_t>(wait * 1000));
  log("run " + entry.uuid + ": next attempt in " + std::to_string(static_cast<int>(wait)) + " s");
  return false;
}

// Keeps what the engine wrote to stderr beside the attempt, unless the engine has done so itself, and ends
// the claim.
Status Runner::leave(const Active& active, RunState state) {
  const QueueEntry& entry = active.entry;
  ++m_counts.ended;
  if (state != RunState::Finished) ++m_counts.notFinished;
  const RunFolder folder(entry.runPath);
  const std::string words = startingPath(entry.uuid, ".stderr");
  const std::string attempt = folder.attemptPath(folder.lastAttempt());
  std::error_code code;
  if (fileBytes(words) > 0 && folderExists(attempt)) {
    const std::string target =
        attempt + (fileExists(attempt + "/stderr.log") ? "/launch.log" : "/stderr.log");
    (void)keepMessages(words, target).ok();
  }
  std::filesystem::remove(words, code);
  std::filesystem::remove(startingPath(entry.uuid, ".json"), code);
  clearAborted(m_options.project, entry.uuid);
  return m_queue.remove(entry.uuid);
}

std::vector<SampledRun> Runner::sampledRuns() const {
  std::vector<SampledRun> runs;
  for (const Active& active : m_active)
    if (active.job && !active.device.empty())
      runs.push_back({active.entry.runPath, active.attemptsBefore, active.device, active.entry.neededBytes});
  return runs;
}

Result<bool> Runner::idle() const {
  if (!m_active.empty()) return false;
  FATHOM_TRY(const QueueSettings settings, m_queue.settings());
  if (settings.paused) return true;
  FATHOM_TRY(const auto entries, m_queue.entries());
  return std::none_of(entries.begin(), entries.end(),
                      [this](const QueueEntry& entry) { return !entry.claimed() && canStart(entry); });
}

RunnerStatus Runner::status() const {
  RunnerStatus result = m_counts;
  for (const Active& active : m_active) result.active.push_back(active.entry);
  return result;
}

}  // namespace fathom
