// SPDX-License-Identifier: Apache-2.0
// The folders of a project's runs gone through: what is new is read, what is gone is forgotten.
#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/threads/thread_ranges.h"
#include "core/library/runs/curve_index.h"
#include "core/library/runs/row_table.h"
#include "core/library/runs/run_listing.h"
#include "core/record/import/foreign_run.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

// Folders that may be runs; an import under way is hidden.
Result<std::vector<std::string>> foldersIn(const std::string& folder) {
  std::vector<std::string> paths;
  FATHOM_TRY(const auto entries, entriesIn(folder));
  for (const auto& entry : entries) {
    if (!entry.path().filename().string().starts_with('.')) paths.push_back(entry.path().string());
  }
  return paths;
}

// A folder of runs/ without run.json is none; a linked one was, and what cannot be looked at may well be.
bool isRun(const std::string& path, const std::vector<std::string>& linked) {
  std::error_code code;
  if (fs::exists(RunFolder(path).identityPath(), code) || code) return true;
  return std::binary_search(linked.begin(), linked.end(), path);
}

}  // namespace

// The folders that may be runs of the project; runs/ is read only when its time of change is another one.
// True when they are to be gone through.
Result<bool> RunListing::readPaths(Scope scope) {
  const std::string stamp = folderStamp(m_library.runsPath());
  if (scope == Scope::Likely && !m_pathsStale && !stamp.empty() && stamp == m_runsStamp) return false;
  FATHOM_TRY(m_paths, foldersIn(m_library.runsPath()));
  m_paths.insert(m_paths.end(), m_linked.begin(), m_linked.end());
  m_runsStamp = stamp;
  m_pathsStale = false;
  return true;
}

bool RunListing::settled(const std::string& path) const {
  const auto known = m_known.find(path);
  return known != m_known.end() && known->second.seen > 0 && known->second.run.ended;
}

void RunListing::lookAndNote(const std::string& path, Fresh& fresh) {
  look(path, fresh);
  if (settled(path)) {
    m_open.erase(path);
  } else {
    m_open.insert(path);
  }
}

Status RunListing::scan(Scope scope, const std::set<std::string>& also) {
  FATHOM_CHECK(readLibrary());
  loadIndexed();
  FATHOM_TRY(const bool goThrough, readPaths(scope));
  if (!goThrough) {
    scanOpen(also);
    return {};
  }
  ++m_round;
  m_open.clear();
  Fresh fresh;
  std::vector<std::string> looked;
  for (const std::string& path : m_paths) {
    const bool skipped = scope == Scope::Likely && settled(path) && !also.contains(path);
    skipped ? void(m_known[path].seen = m_round) : looked.push_back(path);
  }
  for (std::size_t from = 0; from < looked.size(); from += kRowsAtOnce) {
    const std::size_t to = std::min(from + kRowsAtOnce, looked.size());
    lookAhead(looked.data() + from, looked.data() + to);
    for (std::size_t i = from; i < to; ++i) lookAndNote(looked[i], fresh);
    keep(fresh);
  }
  forgetUnseen();
  return {};
}

// What is asked every second: costs nothing for runs that have ended, however many there are.
void RunListing::scanOpen(const std::set<std::string>& also) {
  std::set<std::string> paths = m_open;
  for (const std::string& path : also)
    if (m_known.contains(path)) paths.insert(path);
  ++m_round;
  Fresh fresh;
  for (const std::string& path : paths) {
    lookAndNote(path, fresh);
    const auto known = m_known.find(path);
    if (known != m_known.end() && known->second.seen != m_round) forget(path);
  }
  keep(fresh);
}

// In the index, or in memory where there is none that can be written.
void RunListing::keep(Fresh& fresh) {
  const bool kept = fresh.empty() || (m_index != nullptr && m_index->keepRows(fresh));
  for (auto& [stamp, row] : fresh) {
    const std::string path = row.path;
    if (!kept) m_known[path].row = std::make_shared<const RunRow>(std::move(row));
  }
  fresh.clear();
}

RunListing::Found RunListing::foundAt(const std::string& path) const {
  const auto known = m_known.find(path);
  Found found;
  found.stamp = runStamp(RunFolder(path), known == m_known.end() ? std::string() : known->second.run.stamp);
  const bool asBefore = known != m_known.end() && known->second.run.stamp == found.stamp;
  found.run = asBefore || isRun(path, m_linked);
  if (found.run && !asBefore) found.row = readRunRow(path);
  return found;
}

// Thousands of folders are looked at, and read where they are new, on all cores.
void RunListing::lookAhead(const std::string* first, const std::string* last) {
  m_ahead.clear();
  const auto count = static_cast<std::size_t>(last - first);
  const int threads = listingThreads(count);
  if (threads < 2) return;  // each when it is its turn
  std::vector<std::optional<Found>> found(count);
  const Status read = forRanges(count, threads, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) found[i] = foundAt(first[i]);
  });
  for (std::size_t i = 0; read.ok() && i < count; ++i) m_ahead.emplace(first[i], std::move(*found[i]));
}

void RunListing::look(const std::string& path, Fresh& fresh) {
  ++m_lookedAt;
  const RunFolder run(path);
  const auto ahead = m_ahead.find(path);
  Found found = ahead == m_ahead.end() ? foundAt(path) : std::move(ahead->second);
  if (ahead != m_ahead.end()) m_ahead.erase(ahead);
  if (!found.run) return;  // nothing, or a folder that is no run
  Known& known = m_known[path];
  known.run.path = path;
  const bool isNew = std::exchange(known.seen, m_round) == 0;
  if (isNew) tell(known);
  if (found.row) readFolder(path, found.stamp, std::move(*found.row), known, fresh);
  if (!known.problem.empty() || (known.run.ended && !isNew)) return;
  const RunState state = known.run.ended ? known.state : run.state();
  const int silentMinutes = isLive(state) ? static_cast<int>(run.silence() / 60) : 0;
  if (state != known.state || silentMinutes != known.silentMinutes) tell(known);
  known.state = state;
  known.silentMinutes = silentMinutes;
}

// A row that the index has not, or has of an older state.
void RunListing::readFolder(const std::string& path, const std::string& stamp, Result<RunRow> row,
                            Known& known, Fresh& fresh) {
  ++m_foldersRead;
  tell(known);
  known.run = {path, stamp, path, "", "", false};
  known.problem.clear();
  known.row.reset();
  if (row.ok()) {
    fillNotes(*row);
    known.run = {path, stamp, row->identity.uuid, row->name, row->identity.created, !row->finishedAt.empty()};
    known.state = row->state;
    fresh.emplace_back(stamp, std::move(*row));
    return;
  }
  known.problem = row.error().phrase();
  known.state = RunState::Lost;
  // Its description may be good where the rest is not: then it keeps its name, notes and tags.
  if (const auto identity = RunFolder(path).identity(); identity.ok())
    known.run = {path, stamp, identity->uuid, identity->name, identity->created, false};
}

// What a writer says of its run fills the fields that people edit, once: where the library has not said
// anything of the run yet. One that cannot be written shows it all the same.
void RunListing::fillNotes(const RunRow& row) {
  const BroughtNotes brought = broughtNotes(row.identity.provenance);
  RunNotes notes;
  notes.notes = brought.notes;
  notes.tags = brought.allTags();
  if (row.identity.uuid.empty() || notes == RunNotes() || m_notes.contains(row.identity.uuid)) return;
  if (!m_library.readOnly()) (void)m_library.setRunNotes(row.identity.uuid, notes).ok();
  m_notes[row.identity.uuid] = std::move(notes);
}

void RunListing::forgetUnseen() {
  std::vector<std::string> unseen;
  for (const auto& [path, known] : m_known)
    if (known.seen != m_round) unseen.push_back(path);
  for (const std::string& path : unseen) forget(path);
}

void RunListing::forget(const std::string& path) {
  if (m_index != nullptr) m_index->forget(path);
  const auto known = m_known.find(path);
  if (known->second.seen > 0) m_gone.push_back(path);
  m_known.erase(known);
}

}  // namespace fathom
