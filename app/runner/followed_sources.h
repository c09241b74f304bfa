// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/threads/stop_token.h"
#include "core/imports/source_follower.h"

namespace fathom {

// One source that is followed, as a person hears of it.
struct FollowedSource {
  std::string source, record;
  std::unique_ptr<SourceFollower> follower;  // null: it could not be opened
  std::int64_t points = 0;                   // that came
  std::string said;                          // the last error
  bool read = false, over = false;
  bool ended = false;    // over by itself
  bool forgets = false;  // a person wants its record to go
  bool settled = false;  // nobody follows it any more
  int failed = 0;        // looks in a row that failed
};

// Several sources that one process follows, each until its runs have said how they ended or nothing has come
// for an hour. One thread.
class FollowedSources {
 public:
  // `say` hears of new runs and of errors, each once.
  explicit FollowedSources(std::function<void(const std::string&)> say) : m_say(std::move(say)) {}
  // The error of one that cannot be opened is said; the others go on.
  Status open(SourceFollower::Options options);
  // Until all are over, or it is stopped. An error before anything was read of the only source is returned.
  Status run(const StopToken& stop);
  // Nobody follows them from now on. They are gone on with by whoever looks for sources that are followed
  // (followedSources) where `goOn` says so, and where they are not over.
  void leave(bool goOn);
  const std::vector<FollowedSource>& all() const { return m_sources; }

 private:
  Status look(FollowedSource& one, const StopToken& stop);
  Status fail(FollowedSource& one, const Error& error);
  void settle(FollowedSource& one);
  std::function<void(const std::string&)> m_say;
  std::vector<FollowedSource> m_sources;
};

// The sources that a project follows, as they were begun: those whose follower was cut off, or left them to
// be gone on with. Records that cannot be read are left out.
std::vector<SourceFollower::Options> followedSources(const std::string& project);

// The source that a run folder is written out of, "" where that is nobody's to follow.
std::string followedSourceOf(const std::string& runPath);
// When it grew last; nothing for another run.
std::optional<SourceGrowth> growthOfRun(const std::string& project, const std::string& runPath);

// What came of a source that is followed from now on.
struct BegunFollowing {
  std::vector<std::string> runPaths;
  std::int64_t points = 0;
  std::vector<Phrase> notes;
};
// Reads what the source has and leaves it to be gone on with (startFollowing). An error leaves everything as
// it was.
Result<BegunFollowing> beginFollowing(SourceFollower::Options options, const StopToken& stop);
// Starts `fathom run-queue`, detached, which goes on with every source that the project follows and nobody
// reads; nothing where there is none. How many they are.
Result<int> startFollowing(const std::string& project);
// A person wants the source followed no more; whoever follows it hears of it with the next look. Its runs
// stay, and so does how far it was read: beginFollowing goes on there.
Status endFollowing(const std::string& project, const std::string& source);
// A person wants the source followed again: whoever looks for sources that are followed goes on with it. A
// source without a record is the caller's error.
Status followAgain(const std::string& project, const std::string& source);
// A person wants the source forgotten: like endFollowing, and its record goes.
Status forgetFollowing(const std::string& project, const std::string& source);

}  // namespace fathom
