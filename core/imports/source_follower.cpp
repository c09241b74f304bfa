// SPDX-License-Identifier: Apache-2.0
#include "core/imports/source_follower.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/files/input_file.h"
#include "core/base/files/one_folder.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/json/json_members.h"
#include "core/imports/imported_names.h"

namespace fathom {

namespace {

constexpr int kFollowFormat = 1;
constexpr double kRestSeconds = 60;

double secondsNow() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

std::string followRecord(const std::string& project, const std::string& source) {
  return project + "/follows/" + sha256Hex(absolutePath(source)).substr(0, 16) + ".json";
}

Result<std::unique_ptr<SourceFollower>> SourceFollower::open(Options options) {
  std::unique_ptr<SourceFollower> follower(new SourceFollower(std::move(options)));
  const Options& own = follower->m_options;
  FATHOM_CHECK(makeOneFolder(std::filesystem::path(own.record).parent_path().string()));
  FATHOM_TRY(follower->m_lock, openLockFile(own.record + ".lock"));
  if (::flock(follower->m_lock, LOCK_EX | LOCK_NB) != 0)
    return unavailableError(Phrase::tr("%1 is being followed by another process")(own.source));
  FATHOM_TRY(follower->m_entry,
             own.import.format == "auto" ? recognisedImport(own.source) : importNamed(own.import.format));
  if (follower->m_entry->open == nullptr)
    return usageError(Phrase::tr("%1 is a run folder of ours: it is imported, not followed")(own.source));
  FATHOM_TRY(const bool known, isThere(own.record));
  if (known) {
    FATHOM_CHECK(follower->restore());
  } else {
    FATHOM_TRY(follower->m_source, follower->m_entry->open(own.source, own.import));
  }
  return follower;
}

SourceFollower::~SourceFollower() {
  if (m_lock >= 0) ::close(m_lock);
}

Status SourceFollower::restore() {
  FATHOM_TRY(const Json record, readJsonFile(m_options.record, {64, std::size_t{1} << 30, true}));
  if (memberInteger(record, "format") > kFollowFormat)
    return dataErrorAt(m_options.record, 0, Phrase::tr("the record was written by a newer version"),
                       Phrase::tr("open it with a newer Fathom"));
  if (const ImportEntry* entry = findImport(memberText(record, "entry"))) m_entry = entry;
  ImportOptions options = m_options.import;
  if (const auto reader = record.find("reader"); reader != record.end()) options.state = *reader;
  for (const auto& [name, item] : memberObject(record, "runs").items()) {
    const std::string path = m_options.runsFolder + "/" + memberText(item, "folder");
    // A run that a person has deleted comes no more.
    if (!RunFolder(path).exists()) continue;
    FATHOM_TRY(m_runs[name].run, RunAppender::resume(path, memberObject(item, "state")));
  }
  const auto real = [&record](const char* key) {
    const auto found = record.find(key);
    return found != record.end() && found->is_number() ? found->get<double>() : 0;
  };
  m_grew = real("grew");
  m_gap = real("longest_gap");
  FATHOM_TRY(m_source, m_entry->open(m_options.source, options));
  return {};
}

Status SourceFollower::take(const ImportedRun& piece, Growth& growth) {
  const auto [at, added] = m_runs.try_emplace(piece.name);
  Followed& followed = at->second;
  if (followed.run == nullptr) {
    if (!added) return {};
    const std::string name = importedName(piece, m_options.import, m_options.source);
    const std::string uuid = makeUuid();
    const std::string path = freeRunPath(m_options.runsFolder, name, uuid);
    FATHOM_TRY(followed.run,
               RunAppender::create(path, {name, uuid, absolutePath(m_options.source), true}, piece));
    growth.fresh.push_back(path);
  }
  growth.points += static_cast<std::int64_t>(piece.points.size());
  if (!piece.points.empty()) followed.resting = false;
  FATHOM_CHECK(followed.run->append(piece));
  if (piece.end && !followed.run->ended()) FATHOM_CHECK(followed.run->finish(*piece.end));
  return {};
}

Status SourceFollower::keep() {
  Json record = {{"format", kFollowFormat}, {"source", plainText(absolutePath(m_options.source))},
                 {"entry", m_entry->id},    {"reader", m_source->state()},
                 {"grew", m_grew},          {"longest_gap", m_gap},
                 {"runs", Json::object()}};
  for (const auto& [name, followed] : m_runs) {
    if (followed.run == nullptr) continue;
    record["runs"][name] = {{"folder", std::filesystem::path(followed.run->path()).filename().string()},
                            {"state", followed.run->state()}};
  }
  return writeFileAtomically(m_options.record,
                             record.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

Result<SourceFollower::Growth> SourceFollower::poll(const StopToken& stop) {
  Growth growth;
  bool any = false;
  // The beginning of a source may look like anything: while nothing came of it, it is looked at again.
  if (m_runs.empty() && m_options.import.format == "auto") {
    const auto entry = recognisedImport(m_options.source);
    if (entry.ok() && *entry != m_entry && (*entry)->open != nullptr) {
      m_entry = *entry;
      FATHOM_TRY(m_source, m_entry->open(m_options.source, m_options.import));
    }
  }
  const auto read = m_source->read(stop, [&](ImportedRun piece) -> Status {
    any = true;
    return take(piece, growth);
  });
  if (!read.ok()) return read.error();
  if (any) {
    const double now = secondsNow();
    if (m_grew > 0 && growth.points > 0) m_gap = std::max(m_gap, now - m_grew);
    if (growth.points > 0 || m_grew == 0) m_grew = now;
    FATHOM_CHECK(keep());
  }
  // A run whose source is silent is no running one.
  for (auto& [name, followed] : m_runs) {
    if (followed.run == nullptr || followed.resting || quiet() < std::max(kRestSeconds, 4 * m_gap)) continue;
    followed.run->rest();
    followed.resting = true;
  }
  return growth;
}

double SourceFollower::quiet() const {
  return m_grew > 0 ? std::max(0.0, secondsNow() - m_grew) : 0;
}

bool SourceFollower::allEnded() const {
  return !m_runs.empty() && std::all_of(m_runs.begin(), m_runs.end(), [](const auto& item) {
    return item.second.run == nullptr || item.second.run->ended();
  });
}

Status SourceFollower::rest(const StopToken& stop) {
  (void)stop;
  for (auto& [name, followed] : m_runs)
    if (followed.run != nullptr) followed.run->rest();
  return keep();
}

std::vector<std::string> SourceFollower::runPaths() const {
  std::vector<std::string> paths;
  for (const auto& [name, followed] : m_runs)
    if (followed.run != nullptr) paths.push_back(followed.run->path());
  return paths;
}

}  // namespace fathom
