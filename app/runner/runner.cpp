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

// An engine that was cut off before its first attempt leaves no run: it starts anew.
bool hasBegun(const RunFolder& folder) {
  return folder.exists() && folder.lastAttempt() > 0;
}

bool isScript(const QueueEntry& entry) {
  return entry.script.given();
}

Error noScriptsThere(const QueueEntry& entry) {
  return unavailableError(
      Phrase::tr("a command of one's own is started on this machine only, not at %1")(entry.place));
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
// waits elsewhere has no engine yet, and an engine that has just been started has no run yet: they are asked
// for first, or they would be there twice.
Status Runner::takeOver() {
  FATHOM_TRY(m_settings, m_queue.settings());
  m_slots.configure(m_options.devices, m_settings);
  for (const bool first : {true, false}) {
    if (!first) {
      FATHOM_TRY(const int orphans, m_queue.releaseOrphans());
      if (orphans > 0) log("giving back " + std::to_string(orphans) + " entries of a runner that is gone");
    }
    FATHOM_TRY(const auto entries, m_queue.entries());
    for (const QueueEntry& entry : entries) {
      if (!m_queue.orphaned(entry)) continue;
      Place* place = placeOf(entry);
      if (place == nullptr) continue;
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

// An entry given back by a runner that died: the run may have ended, or been cut off. A command that was
// started for it is not started twice.
Result<bool> Runner::prepareEntry(Active& active) {
  const auto before = isScript(active.entry) ? scriptStart(active.entry.runPath) : std::nullopt;
  const bool started = before && before->process.pid > 0 && before->entry == active.entry.created;
  if (started) active.attemptsBefore = before->attemptsBefore;
  const bool cutOff = !active.entry.resume && hasBegun(RunFolder(active.entry.runPath));
  if (!started && !cutOff) return true;
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
    const Status launched = launch(active);
    if (!launched.ok() && isScript(active.entry)) return neverBegun(active, launched.error());
    if (!launched.ok()) return handBack(active, launched.error());
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
    if (isScript(active.entry)) {
      FATHOM_CHECK(neverBegun(active, noScriptsThere(active.entry)));
      continue;
    }
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
  request.script = active.entry.script;
  request.name = active.entry.config.value("name", "");
  request.device = active.device;
  request.entryCreated = active.entry.created;
  request.attemptsBefore = resume ? folder.lastAttempt() : 0;
  if (!resume && !isScript(active.entry)) {
    FATHOM_TRY(request.configPath, writeEngineConfig(active.entry, active.device));
  }
  active.memoryKillsBefore = memoryKillsAt(active.entry);
  active.attemptsBefore = request.attemptsBefore;
  return request;
}

Status Runner::launch(Active& active) {
  FATHOM_TRY(const JobRequest request, requestFor(active));
  Place* place = placeOf(active.entry);
  if (place == nullptr) return internalError("a run was claimed for the place " + active.entry.place);
  if (isScript(active.entry) && !place->abilities().scripts) return noScriptsThere(active.entry);
  FATHOM_TRY(auto jobs, place->submit({&request, 1}));
  active.job = std::move(jobs.front());
  tellStart(active, request);
  return {};
}

void Runner::tellStart(const Active& active, const JobRequest& request) const {
  log("run " + active.entry.uuid + ": " + (request.attemptsBefore > 0 ? "resumed" : "started") + " on " +
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
        FATHOM_CHECK(putBack(active, job.reason.english(), job.field));
        over = true;
      } else {
        if (place.ownQueue) noteJob(active, job);
        if (active.begun) keepPlace(active, job);
        endAborted(active);
        if (!place.restarts && !isScript(active.entry)) endLingering(active);
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

std::vector<SampledRun> Runner::sampledRuns() const {
  std::vector<SampledRun> runs;
  for (const Active& active : m_active)
    // A command that writes its run samples itself.
    if (active.job && !active.device.empty() && !isScript(active.entry))
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
