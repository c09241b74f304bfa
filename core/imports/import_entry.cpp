// SPDX-License-Identifier: Apache-2.0
#include "core/imports/import_entry.h"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <map>

#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/lines/compressed_file.h"
#include "core/imports/sidecar.h"

namespace fathom {

namespace {

constexpr std::size_t kHeadBytes = 8192;

Result<std::string> headOf(const std::string& path) {
  FATHOM_TRY(const auto in, PackedReader::open(path));
  std::string head(kHeadBytes, '\0');
  std::size_t filled = 0;
  while (filled < head.size()) {
    FATHOM_TRY(const std::size_t count, in->read(head.data() + filled, head.size() - filled));
    if (count == 0) break;
    filled += count;
  }
  head.resize(filled);
  return head;
}

Result<SourceLook> lookAt(const std::string& path) {
  FATHOM_TRY(const bool there, isThere(path));
  if (!there) return inputError(Phrase::tr("cannot open"), path, ENOENT);
  SourceLook look{path, folderExists(path), {}};
  if (!look.folder) {
    FATHOM_TRY(look.head, headOf(path));
  }
  return look;
}

}  // namespace

const ImportEntry* findImport(std::string_view id) {
  for (const ImportEntry& entry : importEntries())
    if (entry.id == id) return &entry;
  return nullptr;
}

Result<std::unique_ptr<ImportSource>> openSource(const ImportEntry& entry, const std::string& path,
                                                 const ImportOptions& options) {
  FATHOM_TRY(auto source, entry.open(path, options));
  return withSidecar(std::move(source), path);
}

namespace {

// The surest entry, of those that are surer than `above`.
Result<const ImportEntry*> surestImport(const std::string& path, Claim above) {
  FATHOM_TRY(const SourceLook look, lookAt(path));
  const ImportEntry* best = nullptr;
  Claim surest = above;
  for (const ImportEntry& entry : importEntries()) {
    const Claim claim = entry.claims(look);
    if (claim > surest) best = &entry;
    surest = std::max(surest, claim);
  }
  return best;
}

}  // namespace

Result<const ImportEntry*> claimedImport(const std::string& path) {
  return surestImport(path, Claim::Lacking);
}

Result<const ImportEntry*> recognisedImport(const std::string& path) {
  FATHOM_TRY(const ImportEntry* entry, surestImport(path, Claim::No));
  if (entry != nullptr) return entry;
  return dataErrorAt(path, 0, Phrase::tr("neither a run, a TensorBoard event file nor a text file"),
                     Phrase::tr("name its format with the option format"));
}

namespace {

// Later points are put behind those that a run had already.
void join(ImportedRun& run, ImportedRun piece) {
  const auto before = static_cast<std::uint32_t>(run.metrics.size());
  std::map<std::string, std::uint32_t> places;
  for (std::uint32_t i = 0; i < before; ++i) places.emplace(run.metrics[i], i);
  std::vector<std::uint32_t> moved;
  for (std::string& metric : piece.metrics) {
    const auto [at, added] = places.try_emplace(metric, static_cast<std::uint32_t>(run.metrics.size()));
    if (added) run.metrics.push_back(std::move(metric));
    moved.push_back(at->second);
  }
  const std::size_t offset = run.points.size();
  for (ImportedPoint& point : piece.points) point.metric = moved[point.metric];
  for (ImportedMark& mark : piece.marks) mark.before += offset;
  run.points.insert(run.points.end(), piece.points.begin(), piece.points.end());
  run.marks.insert(run.marks.end(), piece.marks.begin(), piece.marks.end());
  std::move(piece.texts.begin(), piece.texts.end(), std::back_inserter(run.texts));
  run.title = piece.title;
  run.options = std::move(piece.options);
  run.notes = std::move(piece.notes);
  run.declared = std::move(piece.declared);
  run.warnings = std::move(piece.warnings);
  run.evaluations.merge(piece.evaluations);
  if (!piece.scores.empty()) run.scores = std::move(piece.scores);
  run.end = piece.end;
}

}  // namespace

Status readWhole(ImportSource& source, const StopToken& stop, const ImportSink& take) {
  std::vector<ImportedRun> runs;
  std::map<std::string, std::size_t> places;
  const auto collect = [&](ImportedRun piece) -> Status {
    const auto [at, added] = places.try_emplace(piece.name, runs.size());
    if (added)
      runs.push_back(std::move(piece));
    else
      join(runs[at->second], std::move(piece));
    return {};
  };
  FATHOM_TRY(const SourceState state, source.read(stop, collect));
  (void)state;
  FATHOM_CHECK(source.close(collect));
  for (ImportedRun& run : runs) FATHOM_CHECK(take(std::move(run)));
  return {};
}

}  // namespace fathom
