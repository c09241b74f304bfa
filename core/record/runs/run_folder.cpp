// SPDX-License-Identifier: Apache-2.0
#include "core/record/runs/run_folder.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <functional>

#include "core/base/errors/error_key.h"
#include "core/base/errors/word_table.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/one_folder.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/files/temporary_file.h"
#include "core/base/json/json_members.h"
#include "core/base/json/json_text.h"
#include "core/base/json/phrase_json.h"
#include "core/base/text/number_text.h"
#include "core/record/runs/mirror_note.h"
#include "core/record/runs/project_folder.h"
#include "core/record/runs/run_lock.h"

namespace fathom {

namespace {

constexpr int kRunFormat = 1;
constexpr const char* kAttemptsName = "attempts";
constexpr const char* kConfigName = "config.json";
constexpr std::size_t kMaxRecordBytes = std::size_t{64} << 20;  // run.json, config.json, outcome.json
constexpr double kHeardSeconds = 60;  // silence that is none yet: heartbeats come every 5 s, and may be late

constexpr EnumWord<RunState> kRunStates[] = {{RunState::Queued, "queued"},     {RunState::Running, "running"},
                                             {RunState::Finished, "finished"}, {RunState::Stopped, "stopped"},
                                             {RunState::Diverged, "diverged"}, {RunState::Failed, "failed"},
                                             {RunState::Crashed, "crashed"},   {RunState::Killed, "killed"},
                                             {RunState::Lost, "lost"},         {RunState::Ended, "ended"}};

// Seconds since the file was last written; negative when it is not there. A clock that was set back gives 0.
double secondsSinceWrite(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return -1;
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  const double age = static_cast<double>(now.tv_sec - info.st_mtim.tv_sec) +
                     1e-9 * static_cast<double>(now.tv_nsec - info.st_mtim.tv_nsec);
  return std::max(age, 0.0);
}

Result<Json> readRunJson(const std::string& path) {
  FATHOM_TRY(Json json, readJsonFile(path, {64, kMaxRecordBytes, true}));
  if (!json.is_object()) return dataErrorAt(path, 0, Phrase::tr("must be a JSON object"));
  const std::int64_t format = memberInteger(json, "format");
  if (format > kRunFormat) {
    return dataErrorAt(path, 0,
                       Phrase::tr("the run has format %1; this program reads format %2")(format, kRunFormat),
                       Phrase::tr("open it with a newer Fathom"));
  }
  if (format < 1 || memberText(json, "uuid").empty())
    return dataErrorAt(path, 0, Phrase::tr("not a run description: \"format\" or \"uuid\" is missing"));
  return json;
}

// Takes a foreign writer's words beside the provenance along with it: who wrote the run, and what
// fills the library when the run is first seen (core/record/import/foreign_run.h reads it).
void takeForeign(const Json& json, Json& provenance) {
  if (!provenance.is_object()) provenance = Json::object();
  for (const char* key : {"writer", "group", "job_type", "tags", "notes"})
    if (const auto member = json.find(key); member != json.end()) provenance[key] = *member;
}

}  // namespace

namespace {

namespace fs = std::filesystem;

std::string outcomeText(const RunOutcome& outcome) {
  return jsonText(outcomeToJson(outcome), 2) + "\n";
}

bool holdsOnly(const fs::path& folder, const std::function<bool(const fs::directory_entry&)>& allowed) {
  const auto entries = contentsOf(folder.string());
  return entries.ok() && std::all_of(entries->begin(), entries->end(), allowed);
}

// True for what is left of a run that was killed while it was made: its first attempt has at most a
// configuration, no event and no result. May be used again.
bool halfMade(const std::string& path) {
  const auto partOfAttempt = [](const fs::directory_entry& entry) {
    const std::string name = entry.path().filename().string();
    return name == kConfigName || isTemporaryName(name);
  };
  const auto attempt = [&](const fs::directory_entry& entry) {
    const std::string name = entry.path().filename().string();
    return (name == kUnbegunName || name == paddedText(1, 4)) && holdsOnly(entry.path(), partOfAttempt);
  };
  return holdsOnly(path, [&](const fs::directory_entry& entry) {
    const std::string name = entry.path().filename().string();
    return name == kRunLockName || name == kMirrorNoteName || isTemporaryName(name) ||
           (name == kAttemptsName && holdsOnly(entry.path(), attempt));
  });
}

Error takenError(const std::string& path) {
  return aboutFile(path, usageError(Phrase::tr("run folder %1 already exists")(path),
                                    Phrase::tr("choose another folder, or resume the run that is in it")));
}

}  // namespace

const char* runStateName(RunState state) {
  return wordOf(kRunStates, state);
}

std::optional<RunState> runStateFromName(std::string_view name) {
  return findWord(kRunStates, name);
}

bool isOpen(RunState state) {
  return state == RunState::Queued || isLive(state);
}

bool isLive(RunState state) {
  return state == RunState::Running;
}

bool isFailure(RunState state) {
  return !isOpen(state) && state != RunState::Finished && state != RunState::Stopped &&
         state != RunState::Ended;
}

std::string RunFolder::identityPath() const {
  return m_path + "/run.json";
}
std::string RunFolder::attemptsPath() const {
  return m_path + "/" + kAttemptsName;
}
std::string RunFolder::attemptPath(int attempt) const {
  return attemptsPath() + "/" + paddedText(attempt, 4);
}
std::string RunFolder::configPath(int attempt) const {
  return attemptPath(attempt) + "/" + kConfigName;
}
std::string RunFolder::eventsPath(int attempt) const {
  return attemptPath(attempt) + "/events.jsonl";
}
std::string RunFolder::outcomePath(int attempt) const {
  return attemptPath(attempt) + "/outcome.json";
}
std::string RunFolder::detailsPath(int attempt) const {
  return attemptPath(attempt) + "/details.json";
}
std::string RunFolder::unbegunAttemptPath() const {
  return attemptsPath() + "/" + kUnbegunName;
}
std::string RunFolder::checkpointsPath() const {
  return m_path + "/" + kCheckpointsName;
}
std::string RunFolder::averagesPath() const {
  return m_path + "/averages";
}
std::string RunFolder::predictionsPath() const {
  return m_path + "/" + kPredictionsName;
}
std::string RunFolder::analysesPath() const {
  return m_path + "/" + kAnalysesName;
}
std::string RunFolder::artifactsPath() const {
  return m_path + "/artifacts";
}

bool RunFolder::exists() const {
  return fileExists(identityPath());
}

Result<RunFolder> RunFolder::prepare(const std::string& path) {
  if (::mkdir(path.c_str(), 0755) == 0) return RunFolder(path);
  // The one that it lies in was named, or deleted meanwhile: it is never made.
  if (errno == ENOENT) return inputError(Phrase::tr("cannot create run folder"), path, errno);
  if (errno != EEXIST) return systemError(Phrase::tr("cannot create run folder"), path, errno);
  if (!halfMade(path)) return takenError(path);
  return RunFolder(path);
}

Status RunFolder::clear() const {
  if (!halfMade(m_path)) return takenError(m_path);
  sweepTemporaries(m_path, TemporaryOwner::Us);
  std::error_code code;
  fs::remove_all(attemptsPath(), code);
  if (code) return systemError(Phrase::tr("cannot empty"), attemptsPath(), code.value());
  return makeOneFolder(attemptsPath());
}

Status RunFolder::describe(const RunIdentity& identity) const {
  Json json = Json::object();
  json["uuid"] = identity.uuid;
  json["format"] = kRunFormat;
  json["name"] = identity.name;
  json["created"] = identity.created.empty() ? isoTimeNow() : identity.created;
  json["provenance"] = identity.provenance;
  if (!identity.metrics.empty()) json["metrics"] = metricsToJson(identity.metrics);
  return writeFileAtomically(identityPath(), jsonText(json, 2) + "\n");
}

void RunFolder::discard() const {
  std::error_code ignored;
  fs::remove_all(m_path, ignored);
}

Result<RunFolder> RunFolder::create(const std::string& path, const RunIdentity& identity) {
  FATHOM_TRY(const RunFolder run, prepare(path));
  Status status = run.clear();
  if (status.ok()) status = run.describe(identity);
  if (!status.ok()) {
    run.discard();
    return status.error();
  }
  return run;
}

void RunFolder::sweep() const {
  for (const std::string& folder : {m_path, attemptsPath(), artifactsPath()})
    sweepTemporaries(folder, TemporaryOwner::Us);
  for (const int attempt : attempts()) sweepTemporaries(attemptPath(attempt), TemporaryOwner::Us);
  std::error_code ignored;
  fs::remove_all(unbegunAttemptPath(), ignored);
}

Result<RunFolder> RunFolder::open(const std::string& path) {
  RunFolder run(path);
  std::error_code code;
  const bool there = std::filesystem::exists(run.identityPath(), code);
  if (code) return inputError(Phrase::tr("cannot look at"), path, code.value());
  if (!there) {
    return aboutFile(path, unavailableError(Phrase::tr("%1 is not a run folder: it has no run.json")(path)));
  }
  FATHOM_TRY(const Json json, readRunJson(run.identityPath()));
  return run;
}

Result<RunIdentity> RunFolder::identity() const {
  FATHOM_TRY(const Json json, readRunJson(identityPath()));
  RunIdentity identity;
  identity.uuid = memberText(json, "uuid");
  identity.name = memberText(json, "name");
  identity.created = memberText(json, "created");
  if (json.contains("provenance")) identity.provenance = json["provenance"];
  takeForeign(json, identity.provenance);
  if (json.contains("metrics")) identity.metrics = metricsFromJson(json["metrics"]);
  return identity;
}

std::vector<int> RunFolder::attempts() const {
  std::vector<int> numbers;
  DIR* folder = ::opendir(attemptsPath().c_str());
  if (folder == nullptr) return numbers;
  while (const dirent* entry = ::readdir(folder)) {
    const std::string_view name = entry->d_name;
    const int number = numberFrom<int>(name).value_or(0);
    if (number > 0 && name.size() >= 4) numbers.push_back(number);
  }
  ::closedir(folder);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

int RunFolder::lastAttempt() const {
  const auto numbers = attempts();
  return numbers.empty() ? 0 : numbers.back();
}

Result<int> RunFolder::beginAttempt(const Json& config) const {
  // Made under another name: an attempt is there with its configuration or not at all.
  const std::string fresh = unbegunAttemptPath();
  std::error_code ignored;
  std::filesystem::remove_all(fresh, ignored);
  FATHOM_CHECK(makeOneFolder(attemptsPath()));
  FATHOM_CHECK(makeOneFolder(fresh));
  const int attempt = lastAttempt() + 1;
  Status status = writeFileAtomically(fresh + "/" + kConfigName, jsonText(config, 2) + "\n");
  if (status.ok()) status = renamePath(fresh, attemptPath(attempt));
  if (status.ok()) {
    status = syncFolder(attemptsPath());
    if (!status.ok()) std::filesystem::remove_all(attemptPath(attempt), ignored);
  }
  if (!status.ok()) {
    std::filesystem::remove_all(fresh, ignored);
    return status.error();
  }
  return attempt;
}

Result<Json> RunFolder::config(int attempt) const {
  return readJsonFile(configPath(attempt), {64, kMaxRecordBytes, false});
}

std::optional<RunOutcome> RunFolder::outcome(int attempt) const {
  const std::string path = outcomePath(attempt);
  if (!fileExists(path)) return std::nullopt;
  const auto json = readJsonFile(path, {64, kMaxRecordBytes, false});
  if (!json.ok()) return std::nullopt;
  const auto outcome = outcomeFromJson(*json);
  if (!outcome.ok()) return std::nullopt;
  return *outcome;
}

bool RunFolder::holdsOutcome(int attempt, const RunOutcome& outcome) const {
  const auto text = readFile(outcomePath(attempt), std::size_t{16} << 20);
  return text.ok() && *text == outcomeText(outcome);
}

Status RunFolder::writeOutcome(int attempt, const RunOutcome& outcome) const {
  const std::string path = outcomePath(attempt);
  if (const auto existing = this->outcome(attempt); existing && !holdsOutcome(attempt, outcome)) {
    return usageError(Phrase::tr("attempt %1 of %2 has already ended (%3); an outcome is never changed")(
        attempt, m_path, runStateName(existing->state)));
  }
  return writeFileAtomically(path, outcomeText(outcome));
}

RunState RunFolder::state() const {
  const int attempt = lastAttempt();
  if (attempt > 0) {
    if (const auto ended = outcome(attempt)) return ended->state;
  }
  const auto holder = runLockHolder(m_path);
  if (holder) return RunState::Running;
  // Nobody follows its source now: what that does meanwhile is not known, and it did not crash.
  const auto identity = attempt > 0 ? this->identity() : Result<RunIdentity>(internalError("none"));
  if (identity.ok() && memberFlag(identity->provenance, "followed", false)) return RunState::Ended;
  return RunState::Crashed;
}

double RunFolder::silence() const {
  const int attempt = lastAttempt();
  const double silent = attempt > 0 ? secondsSinceWrite(eventsPath(attempt)) : 0;
  if (silent <= kHeardSeconds || outcome(attempt) || !runLockHolder(m_path)) return 0;
  return silent;
}

Json outcomeToJson(const RunOutcome& outcome) {
  Json json = Json::object();
  json["state"] = runStateName(outcome.state);
  json["cause"] = outcome.cause;
  json["step"] = outcome.step;
  json["last_finite_step"] = outcome.lastFiniteStep;
  json["first_module"] = outcome.firstModule;
  json["last_good_checkpoint"] = outcome.lastGoodCheckpoint;
  writePhrase(json, "message", outcome.message);
  json["details"] = outcome.details;
  json["exit_code"] = outcome.exitCode;
  Json scores = Json::object();
  for (const auto& [name, value] : outcome.scores.items())
    scores[name] = value.is_number_float() ? jsonReal(value.get<double>()) : value;
  json["scores"] = std::move(scores);
  json["finished_at"] = outcome.finishedAt.empty() ? isoTimeNow() : outcome.finishedAt;
  if (!outcome.askedBy.empty()) json["asked_by"] = outcome.askedBy;
  return json;
}

Result<RunOutcome> outcomeFromJson(const Json& json) {
  if (!json.is_object()) return dataError(Phrase::tr("an outcome must be a JSON object"));
  RunOutcome outcome;
  const auto state = runStateFromName(memberText(json, "state"));
  if (!state)
    return dataError(Phrase::tr("an outcome has the unknown state \"%1\"")(memberText(json, "state")));
  outcome.state = *state;
  outcome.cause = memberText(json, "cause");
  outcome.step = memberInteger(json, "step");
  outcome.lastFiniteStep = memberInteger(json, "last_finite_step");
  outcome.firstModule = memberText(json, "first_module");
  outcome.lastGoodCheckpoint = memberText(json, "last_good_checkpoint");
  outcome.message = readPhrase(json, "message");
  outcome.details = memberObject(json, "details");
  outcome.exitCode = static_cast<int>(memberInteger(json, "exit_code"));
  outcome.scores = memberObject(json, "scores");
  outcome.finishedAt = memberText(json, "finished_at");
  outcome.askedBy = memberText(json, "asked_by");
  return outcome;
}

namespace {

std::string isoTimeText(std::time_t second, int milliseconds) {
  std::tm parts{};
  ::gmtime_r(&second, &parts);
  char text[40];
  const std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
  std::snprintf(text + length, sizeof text - length, ".%03dZ", milliseconds);
  return text;
}

}  // namespace

std::string isoTimeNow() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return isoTimeText(now.tv_sec, static_cast<int>(now.tv_nsec / 1000000));
}

std::string isoTimeOf(double seconds) {
  const double second = std::floor(seconds);
  return isoTimeText(static_cast<std::time_t>(second), static_cast<int>((seconds - second) * 1000));
}

}  // namespace fathom
