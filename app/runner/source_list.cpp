// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/source_list.h"

#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "app/runner/followed_sources.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/input_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/json/json_members.h"
#include "core/base/text/edit_distance.h"
#include "core/imports/import_entry.h"
#include "core/imports/imported_run.h"
#include "core/imports/later_kinds.h"
#include "core/imports/source_follower.h"
#include "core/record/runs/project_folder.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {

Result<Json> recordOf(const std::string& path) {
  return readJsonFile(path, {64, std::size_t{1} << 30, true});
}

// A shared lock for a moment: two that look do not stand in each other's way.
bool isHeld(const std::string& lockFile) {
  const int fd = ::open(lockFile.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool held = ::flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(fd);
  return held;
}

// While nobody reads it.
SourceWay restingWay(const Json& record) {
  if (memberFlag(record, "followed", false)) return SourceWay::Unread;
  return memberFlag(record, "ended", false) ? SourceWay::Ended : SourceWay::Paused;
}

SourceWay wayOf(const Json& record, const std::string& path) {
  return isHeld(path + ".lock") ? SourceWay::Read : restingWay(record);
}

std::string titleOf(const std::string& format) {
  const ImportEntry* entry = findImport(format);
  return entry != nullptr ? entry->title : format;
}

void takeKinds(const Json& record, ListedSource& one) {
  std::vector<std::string>& kinds = one.kinds = {titleOf(memberText(record, "entry"))};
  for (const SourcePlace& place : readBeside(record)) {
    const std::string title = titleOf(place.format);
    one.beside.push_back(title + ": " + plainText(place.path));
    if (std::find(kinds.begin(), kinds.end(), title) == kinds.end()) kinds.push_back(title);
  }
}

}  // namespace

const char* sourceWayName(SourceWay way) {
  switch (way) {
    case SourceWay::Read:
      return "read";
    case SourceWay::Unread:
      return "unread";
    case SourceWay::Paused:
      return "paused";
    case SourceWay::Ended:
      return "ended";
  }
  return "";
}

std::optional<RecordedSource> recordedSource(const std::string& project, const std::string& source) {
  const auto record = recordOf(followRecord(project, source));
  if (!record.ok()) return std::nullopt;
  return RecordedSource{growthOfRecord(*record), restingWay(*record) == SourceWay::Paused};
}

std::vector<ListedSource> listSources(const std::string& project) {
  std::vector<ListedSource> sources;
  const auto entries = entriesIn(project + "/follows");
  if (!entries.ok()) return sources;  // nothing was ever followed, or its folder cannot be read
  for (const auto& entry : *entries) {
    if (entry.path().extension() != ".json") continue;
    const std::string path = entry.path().string();
    const auto record = recordOf(path);
    if (!record.ok()) continue;
    ListedSource one;
    one.source = memberText(*record, "source");
    one.record = path;
    if (one.source.empty()) continue;
    takeKinds(*record, one);
    one.way = wayOf(*record, path);
    const auto there = isThere(one.source);
    one.there = !there.ok() || *there;
    one.growth = growthOfRecord(*record);
    for (const auto& [name, item] : memberObject(*record, "runs").items()) {
      const std::string folder = memberText(item, "folder");
      const RunFolder run(ProjectFolder(project).runsPath() + "/" + folder);
      if (!folder.empty() && run.exists()) one.runPaths.push_back(run.path());
    }
    sources.push_back(std::move(one));
  }
  std::sort(sources.begin(), sources.end(),
            [](const ListedSource& a, const ListedSource& b) { return a.source < b.source; });
  return sources;
}

Result<ListedSource> findSource(const std::string& project, const std::string& word) {
  std::vector<ListedSource> found;
  std::vector<std::string> paths;
  const std::string whole = absolutePath(word);
  for (ListedSource& one : listSources(project)) {
    paths.push_back(one.source);
    if (one.source == whole) return std::move(one);
    if (one.source.size() > word.size() && one.source.ends_with("/" + word)) found.push_back(std::move(one));
  }
  if (found.size() == 1) return std::move(found.front());
  if (found.size() > 1)
    return usageError(Phrase::tr("%1 may be %2 or %3")(word, found[0].source, found[1].source),
                      Phrase::tr("give the whole path"));
  const std::string near = nearestSpelling(whole, paths);
  return unavailableError(Phrase::tr("the project follows no source %1")(word),
                          near.empty() ? Phrase() : Phrase::tr("did you mean '%1'?")(near));
}

Status resumeSource(const std::string& project, const ListedSource& source) {
  FATHOM_TRY(const bool there, isThere(source.source));
  if (!there) return dataErrorAt(source.source, 0, Phrase::tr("there is no such file or folder"));
  FATHOM_CHECK(followAgain(project, source.source));
  FATHOM_TRY([[maybe_unused]] const int started, startFollowing(project));
  return {};
}

Status removeSource(const std::string& project, const ListedSource& source) {
  return forgetFollowing(project, source.source);
}

}  // namespace fathom
