// SPDX-License-Identifier: Apache-2.0
#include "core/library/runs/run_listing.h"

#include <algorithm>
#include <filesystem>
#include <tuple>
#include <utility>

#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/text/edit_distance.h"
#include "core/base/text/shell_word.h"
#include "core/base/text/text_list.h"
#include "core/base/threads/thread_ranges.h"
#include "core/library/runs/curve_index.h"
#include "core/library/runs/row_table.h"
#include "core/record/import/foreign_run.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

std::string folderName(const std::string& path) {
  return fs::path(path).lexically_normal().filename().string();
}

// The run folder meant by a path, or by the name of a folder in runs/; "" when it is neither.
std::string pathMeant(const std::string& runs, const std::vector<std::string>& linked,
                      const std::string& wanted) {
  std::error_code code;
  const std::string inRuns = runs + "/" + wanted;
  if (!wanted.empty() && wanted.find('/') == std::string::npos && wanted[0] != '.' &&
      RunFolder(inRuns).exists())
    return inRuns;
  std::string path = absolutePath(wanted);
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  if (std::binary_search(linked.begin(), linked.end(), path)) return path;
  const fs::path whole = fs::weakly_canonical(path, code);
  if (code) return {};
  for (const std::string& each : linked)
    if (fs::weakly_canonical(each, code) == whole && !code) return each;
  const bool there = fs::equivalent(whole.parent_path(), runs, code) && !code;
  const std::string name = whole.filename().string();
  return there && RunFolder(runs + "/" + name).exists() ? runs + "/" + name : std::string();
}

}  // namespace

const RunNotes& RunListing::notesOf(const std::string& uuid) const {
  static const RunNotes kNone;
  const auto found = m_notes.find(uuid);
  return found == m_notes.end() ? kNone : found->second;
}

std::string RunListing::shownName(const Known& known) const {
  const RunNotes& notes = notesOf(known.run.uuid);
  if (!notes.name.empty()) return notes.name;
  return known.run.name.empty() ? folderName(known.run.path) : known.run.name;
}

// Reads the notes and links of people, once for each change of the library.
Status RunListing::readLibrary() {
  FATHOM_TRY(const std::int64_t counter, m_library.changeCounter());
  if (counter == m_libraryCounter) return {};
  FATHOM_TRY(auto notes, m_library.allRunNotes());
  FATHOM_TRY(auto linked, m_library.linkedRuns());
  m_pathsStale = m_pathsStale || linked != m_linked;
  FATHOM_TRY(StoredLooks looks, storedLooks(m_library));
  m_linked = std::move(linked);
  std::swap(m_notes, notes);                                     // notes: as they were
  looks.insert(m_looks.looks().begin(), m_looks.looks().end());  // given here, and not kept yet
  const LookGiver given = std::exchange(m_looks, LookGiver(std::move(looks)));
  const auto number = [](const LookGiver& giver, const std::string& uuid) {
    const auto look = giver.looks().find(uuid);
    return look == giver.looks().end() ? -1 : look->second.number;
  };
  for (auto& [path, known] : m_known) {
    const auto before = notes.find(known.run.uuid);
    const RunNotes& now = notesOf(known.run.uuid);
    const bool said = before == notes.end() ? !(now == RunNotes()) : !(now == before->second);
    if (said || number(given, known.run.uuid) != number(m_looks, known.run.uuid)) tell(known);
  }
  m_libraryCounter = counter;
  return {};
}

// Whoever sees a run first gives it its look.
void RunListing::giveLook(RunRow& row, RowParts parts) {
  const std::string& uuid = row.identity.uuid;
  if (uuid.empty()) return;
  const auto known = m_looks.looks().find(uuid);
  int number = -1;
  if (known != m_looks.looks().end()) number = known->second.number;
  // A run that cannot be read has no options yet.
  else if (parts == RowParts::All && row.attempts > 0)
    number = m_looks.numberOf(uuid, row.options, importOrigin(row.identity.provenance));
  if (number >= 0) row.look = shownLook(number, row.notes.colour);
}

Status RunListing::keepGivenLooks() {
  StoredLooks given;
  for (const std::string& uuid : m_looks.takeFresh()) given.insert(*m_looks.looks().find(uuid));
  return storeLooks(m_library, given);
}

int RunListing::lookOf(const std::string& uuid, const Json& options) {
  return shownLook(m_looks.numberOf(uuid, options, {}), notesOf(uuid).colour);
}

void RunListing::tell(Known& known) {
  if (std::exchange(known.told, false)) m_untold.push_back(known.run.path);
}

void RunListing::loadIndexed() {
  if (m_index == nullptr || std::exchange(m_indexLoaded, true)) return;
  for (IndexedRun& run : m_index->indexedRuns()) {
    Known& known = m_known[run.path];
    if (known.seen == 0) known.run = std::move(run);
  }
}

Result<RunRow> RunListing::keptOrRead(const Known& known, std::optional<RunRow> stored) {
  if (known.row) return *known.row;
  if (stored) return std::move(*stored);
  ++m_foldersRead;
  return readRunRow(known.run.path);
}

RunRow RunListing::rowOf(const Known& known, std::optional<RunRow> stored) {
  RunRow row;
  row.identity.uuid = known.run.uuid;
  row.identity.name = known.run.name;
  row.identity.created = known.run.created;
  row.message = known.problem;
  row.state = RunState::Lost;
  if (known.problem.empty()) {
    Result<RunRow> read = keptOrRead(known, std::move(stored));
    if (read.ok())
      row = std::move(*read);
    else
      row.message = read.error().phrase();
    // The state of a run that has not ended depends on its lock, too.
    if (read.ok() && row.finishedAt.empty()) row.state = known.state;
    row.silentMinutes = known.silentMinutes;
  }
  row.path = known.run.path;
  row.notes = notesOf(row.identity.uuid);
  row.name = shownName(known);
  return row;
}

// A few hundred at a time: one question to the index each, and that many rows in memory.
void RunListing::tellRows(const std::vector<const Known*>& runs, RowParts parts,
                          const std::function<void(RunRow)>& take) {
  for (std::size_t from = 0; from < runs.size(); from += kRowsAtOnce) {
    const std::size_t to = std::min(from + kRowsAtOnce, runs.size());
    std::vector<const IndexedRun*> asked;
    for (std::size_t i = from; i < to; ++i) asked.push_back(&runs[i]->run);
    auto stored = m_index == nullptr ? std::vector<std::optional<RunRow>>(asked.size())
                                     : m_index->storedRows(asked, parts);
    for (std::size_t i = from; i < to; ++i) {
      RunRow row = rowOf(*runs[i], std::move(stored[i - from]));
      giveLook(row, parts);
      take(std::move(row));
    }
  }
  // A library that cannot be written now gets them another time.
  (void)keepGivenLooks().ok();
}

RunRow RunListing::wholeRow(const Known& known) {
  RunRow row;
  tellRows({&known}, RowParts::All, [&](RunRow told) { row = std::move(told); });
  return row;
}

// Oldest first.
void RunListing::sortByAge(std::vector<const Known*>& runs) {
  std::sort(runs.begin(), runs.end(), [](const Known* a, const Known* b) {
    return std::tie(a->run.created, a->run.path) < std::tie(b->run.created, b->run.path);
  });
}

std::vector<const RunListing::Known*> RunListing::seenByAge() const {
  std::vector<const Known*> order;
  order.reserve(m_known.size());
  for (const auto& [path, known] : m_known) order.push_back(&known);
  sortByAge(order);
  return order;
}

Status RunListing::visit(RowParts parts, const std::function<void(RunRow)>& take) {
  FATHOM_CHECK(scan(Scope::Everything, {}));
  tellRows(seenByAge(), parts, take);
  return {};
}

Status RunListing::names(const std::function<void(const std::string& uuid, const std::string& name)>& take) {
  FATHOM_CHECK(scan(Scope::Everything, {}));
  for (const Known* known : seenByAge()) take(known->run.uuid, shownName(*known));
  return {};
}

bool RunListing::isOurs(const std::string& path) const {
  return fs::path(path).parent_path() == m_library.runsPath() ||
         std::binary_search(m_linked.begin(), m_linked.end(), path);
}

const RunListing::Known* RunListing::seenWith(const std::string& uuid) const {
  for (const auto& [path, known] : m_known)
    if (known.seen == m_round && known.run.uuid == uuid) return &known;
  return nullptr;
}

// Null where there is none. The index says which folder to look at; it may be behind, so that "there is none"
// is said by the folders only.
Result<const RunListing::Known*> RunListing::locate(const std::string& uuid) {
  FATHOM_CHECK(readLibrary());
  loadIndexed();
  std::string path;
  for (const auto& [at, known] : m_known)
    if (path.empty() && known.run.uuid == uuid && isOurs(at)) path = at;
  if (!path.empty()) {
    ++m_round;
    Fresh fresh;
    look(path, fresh);
    keep(fresh);
    if (const Known* known = seenWith(uuid)) return known;
  }
  FATHOM_CHECK(scan(Scope::Everything, {}));
  return seenWith(uuid);
}

Status RunListing::select(const std::vector<std::string>& uuids, const std::function<void(RunRow)>& take) {
  for (const std::string& uuid : uuids) {
    FATHOM_TRY(const Known* known, locate(uuid));
    if (known != nullptr) take(wholeRow(*known));
  }
  return {};
}

Result<std::string> RunListing::pathOf(const std::string& uuid) {
  FATHOM_TRY(const Known* known, locate(uuid));
  return known == nullptr ? std::string() : known->run.path;
}

Result<std::vector<RunRow>> RunListing::rows(RowParts parts) {
  std::vector<RunRow> all;
  FATHOM_CHECK(visit(parts, [&](RunRow row) { all.push_back(std::move(row)); }));
  return all;
}

Status RunListing::changes(Scope scope, const std::set<std::string>& also,
                           const std::function<void(RunRow)>& changed,
                           const std::function<void(const std::string& path)>& gone) {
  FATHOM_CHECK(scan(scope, also));
  for (const std::string& path : std::exchange(m_gone, {})) gone(path);
  std::vector<const Known*> fresh;
  for (const std::string& path : std::exchange(m_untold, {})) {
    const auto known = m_known.find(path);
    if (known != m_known.end() && !std::exchange(known->second.told, true)) fresh.push_back(&known->second);
  }
  sortByAge(fresh);
  tellRows(fresh, RowParts::All, changed);
  return {};
}

void RunListing::touch(const std::string& path) {
  if (const auto known = m_known.find(path); known != m_known.end()) tell(known->second);
}

Result<RunRow> RunListing::find(const std::string& wanted) {
  FATHOM_CHECK(readLibrary());
  if (const std::string path = pathMeant(m_library.runsPath(), m_linked, wanted); !path.empty()) {
    Fresh fresh;
    ++m_round;
    look(path, fresh);
    const auto known = m_known.find(path);
    const bool byUuid = wanted.find('/') == std::string::npos;
    if (known != m_known.end() && (!byUuid || known->second.run.uuid == wanted)) {
      keep(fresh);
      return wholeRow(known->second);
    }
  }
  loadIndexed();
  const bool indexed = std::any_of(m_known.begin(), m_known.end(),
                                   [&](const auto& each) { return each.second.run.uuid == wanted; });
  if (indexed) {
    FATHOM_TRY(const Known* known, locate(wanted));
    if (known != nullptr) return wholeRow(*known);
  }
  FATHOM_CHECK(scan(Scope::Everything, {}));
  std::vector<const Known*> found;
  std::vector<std::string> names;
  for (const auto& [path, known] : m_known) {
    const std::string name = shownName(known);
    names.push_back(name);
    if (known.run.uuid == wanted) return wholeRow(known);
    const bool prefix = wanted.size() >= 4 && known.run.uuid.starts_with(wanted);
    if (prefix || name == wanted || folderName(path) == wanted) found.push_back(&known);
  }
  if (found.size() == 1) return wholeRow(*found.front());
  if (found.empty()) {
    const std::string near = nearestSpelling(wanted, names);
    return unavailableError(Phrase::tr("there is no run \"%1\" in %2")(wanted, m_library.path()),
                            near.empty()
                                ? Phrase::tr("see: fathom runs --project %1")(shellWord(m_library.path()))
                                : Phrase::tr("did you mean \"%1\"?")(near));
  }
  const std::string all = joined(
      found, ", ", [this](const Known* known) { return known->run.uuid + " (" + shownName(*known) + ")"; });
  return usageError(Phrase::tr("\"%1\" fits %2 runs: %3")(wanted, found.size(), all),
                    Phrase::tr("give more of the id"));
}

Result<std::vector<RunRow>> listRuns(ProjectLibrary& library) {
  FATHOM_TRY(const auto index, CurveIndex::open(library.path()));
  return RunListing(library, index.get()).rows();
}

Result<RunRow> findRun(ProjectLibrary& library, const std::string& wanted) {
  FATHOM_TRY(const auto index, CurveIndex::open(library.path()));
  return RunListing(library, index.get()).find(wanted);
}

}  // namespace fathom
