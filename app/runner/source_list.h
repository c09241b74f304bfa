// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/phrase.h"
#include "core/base/errors/result.h"
#include "core/record/import/source_growth.h"

namespace fathom {

// What is done with a source that a project follows or has followed: somebody reads it; it is to be read, and
// nobody does; a person wants it read no more for now; it came to its end, or was silent for an hour.
enum class SourceWay { Read, Unread, Paused, Ended };
// "read", "unread", "paused", "ended".
const char* sourceWayName(SourceWay way);

// A source of another program, as a person sees it in a list.
struct ListedSource {
  std::string source;  // absolute path
  // Titles of the entries of all that is read of it, each once: its own, then kinds that came later into its
  // folder, which are paused and removed with it.
  std::vector<std::string> kinds;
  std::vector<std::string> beside;  // those that came later, "CSV: PATH"
  std::string record;               // the file that it is kept in
  SourceWay way = SourceWay::Unread;
  bool there = true;  // something lies at its path
  SourceGrowth growth;
  std::vector<std::string> runPaths;  // that came of it and are still there
};

// A followed source by its record alone.
struct RecordedSource {
  SourceGrowth growth;
  bool paused = false;  // true where nobody reads it and it has not come to its end
};
// Without a value where the project has no record of the source. Reads the record.
std::optional<RecordedSource> recordedSource(const std::string& project, const std::string& source);

// All sources that a project has a record of, by path. Records that cannot be read are left out; nothing is
// locked. Reads each record.
std::vector<ListedSource> listSources(const std::string& project);
// The source that a person means: its path, or the end of one; usage error that names the nearest.
Result<ListedSource> findSource(const std::string& project, const std::string& word);

// Is read on from where it was left by whoever reads sources (startFollowing). Unavailable while its path is
// not there.
Status resumeSource(const std::string& project, const ListedSource& source);
// Nobody reads it any more, and how far it was read is forgotten; its runs stay. Who reads it now hears of it
// with the next look, and the record goes then.
Status removeSource(const std::string& project, const ListedSource& source);

}  // namespace fathom
