// SPDX-License-Identifier: Apache-2.0
#include "core/imports/source_follower.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <set>
#include <thread>
#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/files/input_file.h"
#include "core/base/files/one_folder.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/files/temporary_file.h"
#include "core/base/json/json_members.h"
#include "core/base/json/json_reals.h"
#include "core/base/text/lines_of.h"
#include "core/imports/imported_names.h"
#include "core/imports/later_kinds.h"
#include "core/imports/record_text.h"
#include "core/record/import/followed_folder.h"

namespace fathom {

namespace {

constexpr int kFollowFormat = 1;
constexpr double kRestSeconds = 60, kBeatSeconds = 5;
// A run that is locked holds two files open, and a process has 1,024 where nobody said otherwise.
constexpr std::size_t kMostLive = 200;
constexpr std::size_t kMaxPlanBytes = std::size_t{64} << 20;

double secondsNow() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string folderNameOf(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

// True if the run of a record is there; another one may lie in its place.
Result<bool> isStill(const RunFolder& run, const std::string& uuid) {
  FATHOM_TRY(const bool there, isThere(run.identityPath()));
  if (!there) return false;
  FATHOM_TRY(const RunIdentity identity, run.identity());
  return uuid.empty() || identity.uuid == uuid;
}

// A folder that a run was begun in, before it was told what it is.
Result<bool> isBegun(const RunFolder& run) {
  const std::string attempts = folderNameOf(run.attemptsPath());
  FATHOM_TRY(const auto entries, entriesIn(run.path()));
  return std::all_of(entries.begin(), entries.end(), [&](const auto& entry) {
    const std::string name = entry.path().filename().string();
    return name == kRunLockName || name == attempts || isTemporaryName(name);
  });
}

// Deletes what a follower had begun when it was cut off; whatever else lies there stays.
Status removeBegun(const std::string& path, const std::string& uuid) {
  const RunFolder run(path);
  FATHOM_TRY(const bool told, isThere(run.identityPath()));
  FATHOM_TRY(const bool ours, told ? isStill(run, uuid) : isBegun(run));
  if (!ours || uuid.empty()) return {};
  std::error_code code;
  std::filesystem::remove_all(path, code);
  if (code) return systemError(Phrase::tr("cannot delete"), path, code.value());
  return {};
}

}  // namespace

namespace {

std::vector<double> gapsOf(const Json& record) {
  std::vector<double> gaps;
  for (const Json& gap : memberList(record, "gaps")) gaps.push_back(realOr(gap, 0));
  return gaps;
}

// The gap that as many are longer than as are shorter.
double usualGap(std::vector<double> gaps) {
  if (gaps.empty()) return 0;
  std::sort(gaps.begin(), gaps.end());
  return gaps[gaps.size() / 2];
}

}  // namespace

std::optional<SourceGrowth> growthOf(const std::string& project, const std::string& source) {
  const auto record = readJsonFile(followRecord(project, source), {64, std::size_t{1} << 30, true});
  if (!record.ok()) return std::nullopt;
  return growthOfRecord(*record);
}

SourceGrowth growthOfRecord(const Json& record) {
  return {memberReal(record, "grew", 0), usualGap(gapsOf(record))};
}

SourceGrowth SourceFollower::growth() const {
  return {m_grew, usualGap(m_gaps)};
}

bool lockSoon(int lock) {
  constexpr int kTries = 5;
  for (int i = 0; i < kTries; ++i) {
    if (::flock(lock, LOCK_EX | LOCK_NB) == 0) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return false;
}

std::string followRecord(const std::string& project, const std::string& source) {
  return project + "/follows/" + followRecordName(absolutePath(source));
}

Result<std::unique_ptr<SourceFollower>> SourceFollower::open(Options options) {
  std::unique_ptr<SourceFollower> follower(new SourceFollower(std::move(options)));
  const Options& own = follower->m_options;
  FATHOM_CHECK(makeOneFolder(std::filesystem::path(own.record).parent_path().string()));
  FATHOM_TRY(follower->m_lock, openLockFile(own.record + ".lock"));
  if (!lockSoon(follower->m_lock))
    return unavailableError(Phrase::tr("%1 is being followed by another process")(own.source));
  FATHOM_CHECK(prepareNamedFile(own.record));
  FATHOM_CHECK(follower->recognise());
  follower->m_opened = secondsNow();
  FATHOM_CHECK(follower->begin());
  if (follower->m_entry == nullptr)
    follower->m_notes.push_back(Phrase::tr(
        "no program is recognised by what is there: it is looked at until one writes its first run"));
  return follower;
}

// A folder may be there before its program has written anything that tells whose it is.
Status SourceFollower::recognise() {
  const std::string &source = m_options.source, &format = m_options.import.format;
  if (format != "auto") {
    FATHOM_TRY(m_entry, importNamed(format));
  } else if (folderExists(source)) {
    FATHOM_TRY(m_entry, claimedImport(source));
  } else {
    FATHOM_TRY(m_entry, recognisedImport(source));
  }
  if (m_entry != nullptr && m_entry->open == nullptr)
    return usageError(Phrase::tr("%1 is a run folder of ours: it is imported, not followed")(source));
  return {};
}

SourceFollower::~SourceFollower() {
  unlock();
}

void SourceFollower::unlock() {
  m_source.reset();  // whoever else follows its folder looks for what comes later
  if (const int lock = std::exchange(m_lock, -1); lock >= 0) ::close(lock);
}

// As the record says, or from the beginning where there is none yet.
Status SourceFollower::begin() {
  m_source.reset();
  m_runs.clear();
  m_live = 0;
  m_grew = m_gap = 0;
  m_gaps.clear();
  m_name = m_options.import.name;
  FATHOM_TRY(const bool known, isThere(m_options.record));
  Json record = Json::object();
  if (known) {
    FATHOM_TRY(record, readJsonFile(m_options.record, {64, std::size_t{1} << 30, true}));
  }
  if (memberInteger(record, "format") > kFollowFormat)
    return dataErrorAt(m_options.record, 0, Phrase::tr("the record was written by a newer version"),
                       Phrase::tr("open it with a newer Fathom"));
  if (known) compare(record);
  FATHOM_CHECK(takeBack(record));
  return restore(record);
}

// It is read as it was begun, and its runs are called as they are.
void SourceFollower::compare(const Json& record) {
  m_notes.clear();
  const std::string entry = memberText(record, "entry"), &format = m_options.import.format;
  if (format != "auto" && !entry.empty() && format != entry)
    m_notes.push_back(
        Phrase::tr("it is followed as %1 since it was first read: the format %2 is not used")(entry, format));
  const std::string& name = m_options.import.name;
  const bool other = record.contains("name") && memberText(record, "name") != name;
  if (other && !name.empty() && !memberObject(record, "runs").empty())
    m_notes.push_back(Phrase::tr("its runs have their names already: the name %1 is not used")(name));
}

Status SourceFollower::goBack() {
  Status status = begin();
  if (status.ok()) return status;
  m_source.reset();
  m_runs.clear();
  return status;
}

Status SourceFollower::restore(const Json& record) {
  if (const ImportEntry* entry = findImport(memberText(record, "entry")))
    m_entry = entry;
  else if (m_entry == nullptr)
    FATHOM_CHECK(recognise());
  ImportOptions options = m_options.import;
  if (const auto reader = record.find("reader"); reader != record.end()) options.state = *reader;
  for (const auto& [name, item] : memberObject(record, "runs").items()) {
    Followed& followed = m_runs[ofRecord(name)];
    const std::string folder = memberText(item, "folder");
    if (folder.empty()) continue;
    const RunFolder run(m_options.runsFolder + "/" + folder);
    const Json& state = memberObject(item, "state");
    FATHOM_TRY(const bool there, isStill(run, memberText(state, "uuid")));
    if (!there) continue;
    FATHOM_TRY(followed.run, RunAppender::resume(run.path(), state));
    noteLive(followed);
  }
  m_grew = memberReal(record, "grew", 0);
  m_gap = memberReal(record, "longest_gap", 0);
  m_gaps = gapsOf(record);
  if (!memberObject(record, "runs").empty()) m_name = memberText(record, "name", m_name);
  if (m_entry == nullptr) return {};
  // One that has vanished, with its disk perhaps, is opened when it is there again.
  if (!memberText(record, "entry").empty() && !fileExists(m_options.source)) return {};
  FATHOM_TRY(m_source, openFollowed(*m_entry, m_options.source, options, m_options.record));
  return {};
}

// Runs that were begun after the record was written come again: what there is of them goes.
Status SourceFollower::takeBack(const Json& record) {
  FATHOM_TRY(const bool planned, isThere(planPath()));
  if (!planned) return {};
  std::set<std::string> kept;
  for (const auto& [name, item] : memberObject(record, "runs").items())
    kept.insert(memberText(item, "folder"));
  FATHOM_TRY(const std::string text, readFile(planPath(), kMaxPlanBytes));
  LinesOf lines(text);
  for (std::string_view line; lines.next(line);) {
    const auto begun = parseJson(line);
    if (!begun.ok()) continue;  // cut off before anything was made
    const std::string folder = memberText(*begun, "folder");
    if (folder.empty() || folder != folderNameOf(folder) || kept.contains(folder)) continue;
    FATHOM_CHECK(removeBegun(m_options.runsFolder + "/" + folder, memberText(*begun, "uuid")));
  }
  std::error_code code;
  std::filesystem::remove(planPath(), code);
  m_planned = false;
  if (code) return systemError(Phrase::tr("cannot delete"), planPath(), code.value());
  return {};
}

// Says which folder a run is going to have before it is made.
Status SourceFollower::plan(const std::string& path, const std::string& uuid) {
  const int fd = ::open(planPath().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) return systemError(Phrase::tr("cannot open"), planPath(), errno);
  const Json line = {{"folder", folderNameOf(path)}, {"uuid", uuid}};
  Status status = writeAll(fd, line.dump() + "\n", planPath());
  if (status.ok()) status = syncData(fd, planPath());
  ::close(fd);
  if (status.ok() && !std::exchange(m_planned, true))
    status = syncFolder(std::filesystem::path(planPath()).parent_path().string());
  return status;
}

Status SourceFollower::create(Followed& followed, const ImportedRun& piece, Growth& growth) {
  const std::string name = importedName(piece, m_options.import, m_options.source);
  const std::string uuid = makeUuid();
  const std::string path = freeRunPath(m_options.runsFolder, name, uuid);
  FATHOM_CHECK(plan(path, uuid));
  const RunAppender::Facts facts = {.name = name,
                                    .uuid = uuid,
                                    .source = absolutePath(m_options.source),
                                    .followed = true,
                                    .asked = !m_options.import.name.empty()};
  FATHOM_TRY(followed.run, RunAppender::create(path, facts, piece));
  growth.fresh.push_back(path);
  return {};
}

Status SourceFollower::take(const ImportedRun& piece, Growth& growth) {
  const auto [at, added] = m_runs.try_emplace(piece.name);
  Followed& followed = at->second;
  if (added) FATHOM_CHECK(create(followed, piece, growth));
  if (followed.run == nullptr) return {};
  FATHOM_TRY(const bool there, isThere(RunFolder(followed.run->path()).identityPath()));
  if (!there) {
    followed.run.reset();
    return {};
  }
  growth.points += static_cast<std::int64_t>(piece.points.size());
  FATHOM_CHECK(followed.run->append(piece));
  if (piece.end && !followed.run->ended()) FATHOM_CHECK(followed.run->finish(*piece.end));
  noteLive(followed);
  return {};
}

// The runs that grew last are shown as running, of very many no others.
void SourceFollower::noteLive(Followed& followed) {
  followed.turn = ++m_turn;
  if (followed.run->resting() || ++m_live <= kMostLive) return;
  std::vector<Followed*> live;
  for (auto& [name, other] : m_runs)
    if (other.run != nullptr && !other.run->resting()) live.push_back(&other);
  m_live = live.size();
  if (m_live <= kMostLive) return;
  std::sort(live.begin(), live.end(), [](const Followed* a, const Followed* b) { return a->turn > b->turn; });
  for (std::size_t i = kMostLive / 2; i < live.size(); ++i) live[i]->run->rest();
  m_live = kMostLive / 2;
}

Status SourceFollower::keep() {
  Json record = {{"format", kFollowFormat}, {"source", plainText(absolutePath(m_options.source))},
                 {"entry", format()},       {"reader", m_source != nullptr ? m_source->state() : Json()},
                 {"grew", m_grew},          {"longest_gap", m_gap},
                 {"gaps", m_gaps},          {"name", m_name},
                 {"followed", m_followed},  {"ended", m_ended},
                 {"runs", Json::object()}};
  for (const auto& [name, followed] : m_runs) {
    const bool there = followed.run != nullptr;
    record["runs"][recordText(name)] = {{"folder", there ? folderNameOf(followed.run->path()) : ""},
                                        {"state", there ? followed.run->state() : Json::object()}};
  }
  FATHOM_CHECK(writeFileAtomically(m_options.record,
                                   record.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"));
  std::error_code ignored;  // what stands in it is in the record now
  if (std::exchange(m_planned, false)) std::filesystem::remove(planPath(), ignored);
  return {};
}

Result<SourceFollower::Growth> SourceFollower::poll(const StopToken& stop) {
  // A source that is gone is opened when it is there again: its runs are not taken up anew each time.
  const bool gone = m_source == nullptr && !m_runs.empty() && !fileExists(m_options.source);
  if (m_source == nullptr && !gone) FATHOM_CHECK(goBack());
  if (m_source == nullptr) {  // nobody's yet, or gone
    beat();
    return Growth{};
  }
  auto growth = readOnce(stop);
  // Reader and runs are somewhere in the middle.
  if (!growth.ok()) (void)goBack();
  return growth;
}

Result<SourceFollower::Growth> SourceFollower::close() {
  if (m_source == nullptr) FATHOM_CHECK(goBack());
  Growth growth;
  if (m_source == nullptr) return growth;
  Status status = m_source->close([&](ImportedRun piece) -> Status {
    // It is silent, which is no end that it told.
    if (piece.end && piece.end->state == RunState::Lost) piece.end.reset();
    return take(piece, growth);
  });
  if (status.ok()) status = keep();
  if (status.ok()) return growth;
  (void)goBack();
  return status.error();
}

Result<SourceFollower::Growth> SourceFollower::readOnce(const StopToken& stop) {
  Growth growth;
  bool any = false;
  // The beginning of a source may look like anything: while nothing came of it, it is looked at again.
  if (m_runs.empty() && m_options.import.format == "auto") {
    const auto entry = recognisedImport(m_options.source);
    if (entry.ok() && *entry != m_entry && (*entry)->open != nullptr) {
      m_entry = *entry;
      FATHOM_TRY(m_source, openFollowed(*m_entry, m_options.source, m_options.import, m_options.record));
    }
  }
  const auto read = m_source->read(stop, [&](ImportedRun piece) -> Status {
    any = true;
    return take(piece, growth);
  });
  if (!read.ok()) return read.error();
  if (any) {
    if (growth.points > 0 || m_grew == 0) noteGrowth();
    FATHOM_CHECK(keep());
  }
  beat();
  return growth;
}

void SourceFollower::noteGrowth() {
  constexpr std::size_t kGapsKept = 9;
  if (m_grew > 0) {
    m_gap = std::max(m_gap, quiet());
    m_gaps.push_back(quiet());
    if (m_gaps.size() > kGapsKept) m_gaps.erase(m_gaps.begin());
  }
  m_grew = secondsNow();
}

// A run whose source is silent is no running one; the others are heard while they wait.
void SourceFollower::beat() {
  const double now = secondsNow();
  if (std::abs(now - m_beat) < kBeatSeconds) return;
  m_beat = now;
  const bool silent = quiet() >= std::max(kRestSeconds, 4 * m_gap);
  for (auto& [name, followed] : m_runs) {
    if (followed.run == nullptr) continue;
    if (silent)
      followed.run->rest();
    else
      followed.run->heartbeat();
  }
}

double SourceFollower::sinceGrowth() const {
  return std::max(0.0, secondsNow() - (m_grew > 0 ? m_grew : m_opened));
}

double SourceFollower::quiet() const {
  return std::max(0.0, secondsNow() - std::max(m_grew, m_opened));
}

bool SourceFollower::allEnded() const {
  return !m_runs.empty() && std::all_of(m_runs.begin(), m_runs.end(), [](const auto& item) {
    return item.second.run == nullptr || item.second.run->ended();
  });
}

void SourceFollower::rest() {
  for (auto& [name, followed] : m_runs)
    if (followed.run != nullptr) followed.run->rest();
}

Status SourceFollower::handOn() {
  rest();
  m_followed = true;
  m_ended = false;
  return m_source == nullptr && m_entry != nullptr ? Status() : keep();
}

Status SourceFollower::leave(bool ended) {
  m_followed = false;
  m_ended = ended;
  if (m_source == nullptr && m_entry != nullptr) {
    // One that is gone is waited for, unless a person has paused it; the reader's state stays in the record.
    FATHOM_TRY(const bool recorded, isThere(m_options.record));
    if (ended || !recorded) return {};
    FATHOM_TRY(Json record, readJsonFile(m_options.record, {64, std::size_t{1} << 30, true}));
    record["followed"] = record["ended"] = false;
    return writeFileAtomically(m_options.record,
                               record.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  }
  // A source that gave no run has no record, unless it was handed on.
  if (m_runs.empty()) {
    FATHOM_TRY(const bool handedOn, isThere(m_options.record));
    if (!handedOn) return {};
  }
  return keep();
}

std::vector<std::string> SourceFollower::runPaths() const {
  std::vector<std::string> paths;
  for (const auto& [name, followed] : m_runs)
    if (followed.run != nullptr) paths.push_back(followed.run->path());
  return paths;
}

}  // namespace fathom
