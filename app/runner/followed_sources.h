// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/threads/stop_token.h"
#include "core/imports/source_follower.h"

namespace fathom {

// One source that is followed, as a person hears of it.
struct FollowedSource {
  std::string source;
  std::unique_ptr<SourceFollower> follower;  // null: it could not be opened
  std::int64_t points = 0;                   // that came
  std::string said;                          // the last error
  bool read = false, over = false;
  int failed = 0;  // looks in a row that failed
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
  std::function<void(const std::string&)> m_say;
  std::vector<FollowedSource> m_sources;
};

// The sources that a project follows, as they were begun: those whose follower was cut off, or left them to
// be gone on with. Records that cannot be read are left out.
std::vector<SourceFollower::Options> followedSources(const std::string& project);

}  // namespace fathom
