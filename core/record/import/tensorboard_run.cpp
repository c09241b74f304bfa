// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <set>

#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/record/import/import_entry.h"
#include "core/record/import/imported_options.h"
#include "core/record/import/imported_run.h"
#include "core/record/import/tensorboard_hparams.h"
#include "core/record/import/tfrecord_reader.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxFiles = 10'000;

// What the event files of one folder say.
class TensorboardCollector {
 public:
  explicit TensorboardCollector(const std::string& place) : m_scalars(place) {}

  Status read(const std::string& path, const StopToken& stop) {
    FATHOM_TRY(const auto reader, TfrecordReader::open(path));
    std::string record;
    TensorboardEvent event;
    std::int64_t records = 0, strange = 0;
    while (true) {
      if (stop.stopRequested()) return interruptedError();
      FATHOM_TRY(const bool more, reader->next(record));
      if (!more) break;
      ++records;
      if (!parseTensorboardEvent(record, event)) {
        ++strange;
        continue;
      }
      m_other += event.otherValues;
      for (const std::string_view content : event.hparams)
        if (!readTensorboardHparams(content, m_options)) ++strange;
      for (const TensorboardScalar& scalar : event.scalars) {
        // A restart goes back: what it repeats gives way, as in TensorBoard.
        FATHOM_CHECK(m_scalars.add(std::string(scalar.tag),
                                   {static_cast<double>(event.step), event.wallTime, kNaN, kNaN},
                                   scalar.value, true));
      }
    }
    if (records == 0 && reader->lengthDamaged())
      return dataErrorAt(path, 0, Phrase::tr("not a TensorBoard event file"));
    const std::string file = plainText(path);
    if (reader->lengthDamaged())
      m_warnings.push_back(Phrase::tr("%1: a damaged length; what follows it could not be read")(file));
    if (reader->badRecords() > 0)
      m_warnings.push_back(Phrase::tr("%1: %2 damaged records skipped")(file, reader->badRecords()));
    if (strange > 0) m_warnings.push_back(Phrase::tr("%1: %2 records are not events")(file, strange));
    return {};
  }

  ImportedRun finish(const std::string& name) {
    ImportedRun run;
    run.format = "tensorboard";
    run.name = name;
    run.warnings = std::move(m_warnings);
    if (m_other > 0)
      run.warnings.push_back(Phrase::tr("%1 histograms, images and tensors passed over")(m_other));
    m_scalars.giveTo(run);
    run.options = m_options.finish(run.warnings);
    return run;
  }

 private:
  ImportedSeries m_scalars;
  ImportedOptions m_options;
  std::vector<Phrase> m_warnings;
  std::int64_t m_other = 0;
};

// Wall times as seconds since the first of them.
void startAtZero(ImportedRun& run) {
  double first = std::numeric_limits<double>::infinity();
  for (const auto& series : run.series)
    for (const double time : series.time) first = std::min(first, time);
  if (run.series.empty() || !std::isfinite(first)) return;
  for (auto& series : run.series)
    for (double& time : series.time) time -= first;
  run.startTime = first;
}

// Event files by the folder they are in, relative to the one that was named ("" = itself); names hold the
// start time, so their order is that of the restarts.
using EventFiles = std::map<std::string, std::vector<std::string>>;

Result<EventFiles> findEventFiles(const std::string& path, const StopToken& stop) {
  EventFiles files;
  std::size_t count = 0;
  std::error_code code;
  FATHOM_TRY(const auto entries, treeBelow(path));
  for (const auto& entry : entries) {
    if (stop.stopRequested()) return interruptedError();
    if (entry.path().filename().string().find("tfevents") == std::string::npos) continue;
    const bool regular = entry.is_regular_file(code);
    if (code && code != std::errc::no_such_file_or_directory)
      return inputError(Phrase::tr("cannot look at"), entry.path().string(), code.value());
    if (!regular) continue;
    if (++count > kMaxFiles) return dataErrorAt(path, 0, Phrase::tr("more than 10,000 event files"));
    const std::string parent = entry.path().parent_path().lexically_relative(path).string();
    files[parent == "." ? "" : parent].push_back(entry.path().string());
  }
  if (files.empty())
    return dataErrorAt(path, 0, Phrase::tr("no TensorBoard event file (…tfevents…) in this folder"));
  for (auto& [folder, names] : files) std::sort(names.begin(), names.end());
  return files;
}

Result<ImportedRun> readFolder(const std::string& path, const EventFiles::value_type& folder,
                               const StopToken& stop) {
  TensorboardCollector collector(folder.first.empty() ? path : path + "/" + folder.first);
  for (const std::string& file : folder.second) FATHOM_CHECK(collector.read(file, stop));
  return collector.finish(folder.first);
}

// Is this folder called by seconds since 1970, as PyTorch's add_hparams calls what it makes inside a run?
bool namedByTime(const std::string& name) {
  const std::size_t whole = std::min(name.find('.'), name.size());
  return whole >= 9 && whole <= 11 && name.find_first_not_of("0123456789.") == std::string::npos &&
         std::count(name.begin(), name.end(), '.') <= 1;
}

// Such folders directly inside another.
std::vector<const EventFiles::value_type*> innerSessions(const EventFiles& files, const std::string& folder) {
  std::vector<const EventFiles::value_type*> found;
  const std::string prefix = folder.empty() ? "" : folder + "/";
  for (auto it = files.lower_bound(prefix); it != files.end() && it->first.starts_with(prefix); ++it)
    if (it->first != folder && namedByTime(it->first.substr(prefix.size()))) found.push_back(&*it);
  return found;
}

// Hyperparameters and final values that were written beside the run they belong to.
void joinSession(ImportedRun& run, ImportedRun session) {
  run.options = std::move(session.options);
  for (ScalarSeries& series : session.series) {
    const bool known = std::any_of(run.series.begin(), run.series.end(),
                                   [&](const ScalarSeries& own) { return own.metric == series.metric; });
    if (!known) run.series.push_back(std::move(series));
  }
  run.warnings.insert(run.warnings.end(), session.warnings.begin(), session.warnings.end());
}

bool onlyFinalValues(const ImportedRun& run) {
  return std::all_of(run.series.begin(), run.series.end(),
                     [](const ScalarSeries& series) { return series.value.size() == 1; });
}

}  // namespace

namespace {

// A restart writes its hyperparameters once more; sessions that differ in them are trials of their own and
// stay apart. Adds the folders that belong to `run` to `joined`.
Status joinSessions(const std::string& path, const EventFiles& files, const std::string& folder,
                    const StopToken& stop, ImportedRun& run, std::set<std::string>& joined) {
  const auto inner = innerSessions(files, folder);
  if (inner.empty() || !run.options.empty() || run.series.empty()) return {};
  std::vector<ImportedRun> sessions;
  for (const auto* session : inner) {
    FATHOM_TRY(sessions.emplace_back(), readFolder(path, *session, stop));
    const ImportedRun& last = sessions.back();
    if (last.options.empty() || last.options != sessions.front().options || !onlyFinalValues(last)) return {};
  }
  for (std::size_t i = inner.size(); i-- > 0;) {  // the last one's values count
    joined.insert(inner[i]->first);
    joinSession(run, std::move(sessions[i]));
  }
  return {};
}

}  // namespace

Status readTensorboardRuns(const std::string& path, const StopToken& stop, const ImportSink& take) {
  if (!folderExists(path)) {
    TensorboardCollector collector(path);
    FATHOM_CHECK(collector.read(path, stop));
    ImportedRun run = collector.finish("");
    startAtZero(run);
    return take(std::move(run));
  }
  FATHOM_TRY(const EventFiles files, findEventFiles(path, stop));
  std::set<std::string> joined;
  for (const auto& folder : files) {
    if (joined.contains(folder.first)) continue;
    FATHOM_TRY(ImportedRun run, readFolder(path, folder, stop));
    FATHOM_CHECK(joinSessions(path, files, folder.first, stop, run, joined));
    // A folder that only describes the experiment is no run.
    if (run.series.empty() && run.options.empty()) continue;
    startAtZero(run);
    FATHOM_CHECK(take(std::move(run)));
  }
  return {};
}

namespace {

// An event file begins with a length and its checksum; a folder may hold some.
Claim tensorboardClaim(const SourceLook& look) {
  if (look.folder) return Claim::Perhaps;
  if (look.head.size() < 12) return Claim::No;
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < 4; ++i)
    sum |= static_cast<std::uint32_t>(static_cast<unsigned char>(look.head[8 + i])) << (8 * i);
  return maskedCrc32c(std::string_view(look.head).substr(0, 8)) == sum ? Claim::Yes : Claim::No;
}

}  // namespace

ImportEntry tensorboardRunEntry() {
  return {.id = "tensorboard",
          .title = "TensorBoard",
          .claims = tensorboardClaim,
          .open = [](const std::string& path, const ImportOptions&) -> Result<std::unique_ptr<ImportSource>> {
            return wholeSource([path](const StopToken& stop, const ImportSink& take) {
              return readTensorboardRuns(path, stop, take);
            });
          }};
}

}  // namespace fathom
