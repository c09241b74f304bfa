// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/followed_sources.h"

#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "app/runner/runner_program.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/input_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/json/json_members.h"
#include "core/imports/preview/source_places.h"
#include "core/record/runs/project_folder.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {

constexpr double kQuietAfterEnd = 60;   // some programs write on after the word for their end
constexpr double kQuietForGood = 3600;  // of a source that has no word for it
constexpr auto kBetweenLooks = std::chrono::milliseconds(250);
constexpr int kMostLooksLeftOut = 40;  // of a source that cannot be read, or of a full disk
constexpr double kResting = 3;         // seconds without growth: from then on each second look is enough
constexpr double kAsleep = 20;         // from then on each fourth

// Until the next look; the longer the more of them failed.
void waitForLook(int failed, const StopToken& stop) {
  const int looks = 1 + std::min(failed, kMostLooksLeftOut);
  for (int i = 0; i < looks && !stop.stopRequested(); ++i) std::this_thread::sleep_for(kBetweenLooks);
}

// A file beside the record: a person wants the source followed no more.
std::string endWish(const std::string& record) {
  return record + ".end";
}

// Its content where the record is to go, too.
constexpr const char* kForget = "forget\n";

void forgetWish(const std::string& record) {
  ::unlink(endWish(record).c_str());
}

bool wishesForgetting(const std::string& record) {
  const auto text = readFile(endWish(record), 64);
  return text.ok() && *text == kForget;
}

// For whoever holds its lock. The lock file stays: one that has opened it may wait for it.
void removeRecord(const std::string& record) {
  for (const char* ending : {"", ".new", ".end"}) ::unlink((record + ending).c_str());
}

// In a record that nobody holds. Its source need not be there any more.
Status noteFollowed(const std::string& record, bool followed) {
  FATHOM_TRY(const bool known, isThere(record));
  if (!known) return {};
  FATHOM_TRY(Json json, readJsonFile(record, {64, std::size_t{1} << 30, true}));
  if (memberFlag(json, "followed", false) == followed) return {};
  json["followed"] = followed;
  json["ended"] = false;
  return writeFileAtomically(record, json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

bool goesOn(const FollowedSource& one) {
  return !one.over;
}

// It is looked at in one of so many rounds.
std::size_t roundsOf(const FollowedSource& one) {
  if (!one.read || one.failed > 0) return 1;
  const double quiet = one.follower->quiet();
  return quiet > kAsleep ? 4 : quiet > kResting ? 2 : 1;
}

}  // namespace

// The only source is the caller's error.
Status FollowedSources::fail(FollowedSource& one, const Error& error) {
  one.said = error.text();
  one.over = true;
  if (m_sources.size() == 1) return error;
  m_say(one.said);
  return {};
}

Status FollowedSources::open(SourceFollower::Options options) {
  FollowedSource& one = m_sources.emplace_back();
  one.source = options.source;
  one.record = options.record;
  auto opened = SourceFollower::open(std::move(options));
  if (!opened.ok()) {
    one.said = opened.error().text();
    one.over = true;
    return opened.error();
  }
  one.follower = std::move(opened).value();
  forgetWish(one.record);  // of a former time
  for (const Phrase& note : one.follower->notes()) m_say(one.source + ": " + note.english());
  return {};
}

// An error is said once, and the source tried again.
Status FollowedSources::look(FollowedSource& one, const StopToken& stop) {
  const auto grown = one.follower->poll(stop);
  if (!grown.ok() && grown.error().kind == ErrorKind::Interrupted) return {};
  if (!grown.ok() && !one.read) return fail(one, grown.error());
  if (!grown.ok() && grown.error().text() != one.said) m_say(one.said = grown.error().text());
  one.failed = grown.ok() ? 0 : one.failed + 1;
  if (grown.ok()) {
    one.read = true;
    one.said.clear();
    one.points += grown->points;
    for (const std::string& path : grown->fresh) m_say("following as " + path);
  }
  const SourceFollower& follower = *one.follower;
  const bool wished = fileExists(endWish(one.record));
  one.forgets = wished && wishesForgetting(one.record);
  if (wished) forgetWish(one.record);
  one.over = wished                ? true
             : follower.allEnded() ? follower.sinceGrowth() > kQuietAfterEnd
                                   : follower.quiet() > kQuietForGood;
  if (!one.over) return {};
  one.ended = !wished;
  const auto rest = one.follower->close();
  if (!rest.ok()) return fail(one, rest.error());
  one.points += rest->points;
  return {};
}

Status FollowedSources::run(const StopToken& stop) {
  for (std::size_t round = 0;
       !stop.stopRequested() && std::any_of(m_sources.begin(), m_sources.end(), goesOn); ++round) {
    int failed = kMostLooksLeftOut;
    for (std::size_t i = 0; i < m_sources.size(); ++i) {
      FollowedSource& one = m_sources[i];
      // A part of those that rest is looked at in each round.
      if (!one.over && (round + i) % roundsOf(one) == 0) FATHOM_CHECK(look(one, stop));
      if (one.over) settle(one);
      if (!one.over) failed = std::min(failed, one.failed);
    }
    if (std::any_of(m_sources.begin(), m_sources.end(), goesOn)) waitForLook(failed, stop);
  }
  return {};
}

// The others are read on, maybe for days: what is over is left at once, and may be followed again.
void FollowedSources::settle(FollowedSource& one) {
  if (one.follower == nullptr || std::exchange(one.settled, true)) return;
  one.follower->rest();
  // Where it cannot be kept, whoever goes on with it finds that nothing comes.
  (void)one.follower->leave(one.ended);
  if (one.forgets) removeRecord(one.record);
  one.follower->unlock();
}

void FollowedSources::leave(bool goOn) {
  for (FollowedSource& one : m_sources) {
    if (one.follower == nullptr || one.settled) continue;
    if (one.over || !goOn)
      settle(one);
    else
      one.follower->rest();
  }
}

std::vector<SourceFollower::Options> followedSources(const std::string& project) {
  std::vector<SourceFollower::Options> sources;
  const auto entries = entriesIn(project + "/follows");
  if (!entries.ok()) return sources;  // nothing was ever followed, or its folder cannot be read
  for (const auto& entry : *entries) {
    if (entry.path().extension() != ".json") continue;
    const auto record = readJsonFile(entry.path().string(), {64, std::size_t{1} << 30, true});
    if (!record.ok() || !memberFlag(*record, "followed", false)) continue;
    SourceFollower::Options options;
    options.source = memberText(*record, "source");
    options.runsFolder = ProjectFolder(project).runsPath();
    options.record = entry.path().string();
    const std::string format = memberText(*record, "entry");
    options.import.format = format.empty() ? "auto" : format;
    options.import.name = memberText(*record, "name");
    options.import.follow = true;
    options.import.placesIn = [](const std::string& folder, const StopToken& stop) {
      return placesIn(folder, stop);
    };
    if (!options.source.empty()) sources.push_back(std::move(options));
  }
  return sources;
}

// Rows of a listing come without what is rarely asked.
std::string followedSourceOf(const std::string& runPath) {
  const auto identity = RunFolder(runPath).identity();
  if (!identity.ok() || !memberFlag(identity->provenance, "followed", false)) return {};
  return memberText(identity->provenance, "source");
}

std::optional<SourceGrowth> growthOfRun(const std::string& project, const std::string& runPath) {
  const std::string source = followedSourceOf(runPath);
  return source.empty() ? std::nullopt : growthOf(project, source);
}

Result<BegunFollowing> beginFollowing(SourceFollower::Options options, const StopToken& stop) {
  forgetWish(options.record);
  FATHOM_TRY(const auto follower, SourceFollower::open(std::move(options)));
  FATHOM_TRY(const auto grown, follower->poll(stop));
  FATHOM_CHECK(follower->handOn());
  return BegunFollowing{follower->runPaths(), grown.points, follower->notes()};
}

Result<int> startFollowing(const std::string& project) {
  int alone = 0;
  for (const SourceFollower::Options& options : followedSources(project)) {
    FATHOM_TRY(const int lock, openLockFile(options.record + ".lock"));
    alone += ::flock(lock, LOCK_EX | LOCK_NB) == 0 ? 1 : 0;
    ::close(lock);
  }
  if (alone > 0) FATHOM_CHECK(startQueueProgram(project));
  return alone;
}

Status endFollowing(const std::string& project, const std::string& source) {
  const std::string record = followRecord(project, source);
  if (!folderExists(project + "/follows")) return {};  // nothing was ever followed
  FATHOM_TRY(const int lock, openLockFile(record + ".lock"));
  const bool ours = lockSoon(lock);
  const Status status = ours ? noteFollowed(record, false) : writeFileAtomically(endWish(record), "\n");
  ::close(lock);
  return status;
}

Status followAgain(const std::string& project, const std::string& source) {
  const std::string record = followRecord(project, source);
  FATHOM_TRY(const bool known, isThere(record));
  if (!known) return unavailableError(Phrase::tr("the project follows no source %1")(source));
  FATHOM_TRY(const int lock, openLockFile(record + ".lock"));
  const bool ours = lockSoon(lock);
  forgetWish(record);
  const Status status = ours ? noteFollowed(record, true) : Status();
  ::close(lock);
  return status;
}

Status forgetFollowing(const std::string& project, const std::string& source) {
  const std::string record = followRecord(project, source);
  if (!folderExists(project + "/follows")) return {};  // nothing was ever followed
  FATHOM_TRY(const int lock, openLockFile(record + ".lock"));
  const bool ours = lockSoon(lock);
  if (ours) removeRecord(record);
  const Status status = ours ? Status() : writeFileAtomically(endWish(record), kForget);
  ::close(lock);
  return status;
}

}  // namespace fathom
