// SPDX-License-Identifier: Apache-2.0
#include "core/imports/preview/source_preview.h"

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "core/base/threads/error_boundary.h"
#include "core/base/threads/thread_start.h"
#include "core/imports/import_entry.h"
#include "core/imports/imported_names.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {

// Stops a reader when its time is over, or somebody else wants it.
class ReadingTime {
 public:
  ReadingTime(const StopToken& asked, double seconds)
      : m_asked(asked), m_end(Clock::now() + std::chrono::milliseconds(std::int64_t(seconds * 1000))) {
    m_thread = startThread([this] { (void)errorThrownBy([this] { watch(); }); });
  }
  ~ReadingTime() {
    {
      const std::lock_guard lock(m_mutex);
      m_read = true;
    }
    m_ended.notify_one();
    m_thread.join();
  }
  ReadingTime(const ReadingTime&) = delete;
  ReadingTime& operator=(const ReadingTime&) = delete;
  const StopToken& token() const { return m_token; }

 private:
  using Clock = std::chrono::steady_clock;
  // A stop token wakes nobody: it is looked at now and then.
  void watch() {
    std::unique_lock lock(m_mutex);
    while (!m_read && !m_asked.stopRequested() && Clock::now() < m_end)
      m_ended.wait_for(lock, std::chrono::milliseconds(20));
    if (!m_read) m_token.requestStop();
  }
  StopToken m_asked, m_token;
  Clock::time_point m_end;
  std::mutex m_mutex;
  std::condition_variable m_ended;
  bool m_read = false;
  std::thread m_thread;
};

// Counts what a reader gives.
class PreviewTally {
 public:
  PreviewTally(const ImportOptions& options, const std::string& path) : m_options(options), m_path(path) {}
  Status take(const ImportedRun& piece) {
    const auto [at, added] = m_places.try_emplace(piece.name, m_runs.size());
    if (added) m_runs.emplace_back();
    Counted& counted = m_runs[at->second];
    counted.run.name = importedName(piece, m_options, m_path);
    counted.run.points += static_cast<std::int64_t>(piece.points.size());
    counted.run.options = static_cast<std::int64_t>(piece.options.size());
    if (piece.end) counted.run.ended = runStateName(piece.end->state);
    counted.metrics.insert(piece.metrics.begin(), piece.metrics.end());
    counted.warnings = piece.warnings;
    return {};
  }
  void giveTo(SourcePreview& preview) const {
    for (const Counted& counted : m_runs) {
      preview.runs.push_back(counted.run);
      preview.runs.back().metrics = static_cast<std::int64_t>(counted.metrics.size());
      preview.points += counted.run.points;
      preview.metrics.insert(counted.metrics.begin(), counted.metrics.end());
      preview.warnings.insert(preview.warnings.end(), counted.warnings.begin(), counted.warnings.end());
    }
  }
  bool holdsAnything() const {
    for (const Counted& counted : m_runs)
      if (counted.run.points > 0 || counted.run.options > 0) return true;
    return false;
  }

 private:
  struct Counted {
    PreviewedRun run;
    std::set<std::string> metrics;
    std::vector<Phrase> warnings;
  };
  ImportOptions m_options;
  std::string m_path;
  std::vector<Counted> m_runs;
  std::map<std::string, std::size_t> m_places;
};

void lookAtColumns(const std::string& path, const ImportOptions& options, SourcePreview& preview) {
  auto columns = tableColumns(path, options);
  if (columns.ok())
    preview.columns = std::move(columns).value();
  else
    preview.fault = columns.error();
}

Status readInto(const ImportEntry& entry, const std::string& path, const ImportOptions& options,
                const ReadingTime& time, SourcePreview& preview) {
  PreviewTally tally(options, path);
  const auto take = [&tally](const ImportedRun& piece) { return tally.take(piece); };
  FATHOM_TRY(const auto source, openSource(entry, path, options));
  const auto read = source->read(time.token(), take);
  preview.whole = read.ok() || read.error().kind != ErrorKind::Interrupted;
  Status status = read.ok() ? source->close(take) : Status(read.error());
  tally.giveTo(preview);
  if (!status.ok()) return status;
  if (!tally.holdsAnything()) return dataErrorAt(path, 0, Phrase::tr("there are no scalars in it"));
  return {};
}

}  // namespace

Result<SourcePreview> previewSource(const std::string& path, const ImportOptions& options,
                                    const StopToken& stop, double seconds) {
  FATHOM_TRY(const ImportEntry* entry,
             options.format == "auto" ? recognisedImport(path) : importNamed(options.format));
  SourcePreview preview;
  preview.format = entry->id;
  preview.title = entry->title;
  preview.own = entry->open == nullptr;
  if (preview.own) {
    const auto identity = RunFolder(path).identity();
    preview.runs.push_back({.name = identity.ok() ? identity->name : importedName({}, options, path)});
    return preview;
  }
  if (entry->id == "csv") lookAtColumns(path, options, preview);
  const ReadingTime time(stop, seconds);
  const Status read = readInto(*entry, path, options, time, preview);
  if (stop.stopRequested()) return interruptedError();
  if (!read.ok() && read.error().kind != ErrorKind::Interrupted) preview.fault = read.error();
  return preview;
}

}  // namespace fathom
