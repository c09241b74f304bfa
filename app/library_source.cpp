// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/library_source.h"

#include <algorithm>

#include "app/analysis_job.h"
#include "core/base/hash.h"
#include "core/record/checkpoint_choice.h"

namespace fathom {

Result<std::unique_ptr<LibrarySource>> LibrarySource::open(const std::string& project,
                                                           std::vector<RunRow> rows) {
  std::unique_ptr<LibrarySource> source(new LibrarySource);
  FATHOM_TRY(source->m_index, CurveIndex::open(project));
  source->m_project = project;
  source->m_rows = std::move(rows);
  return source;
}

std::vector<std::string> LibrarySource::runs() const {
  std::vector<std::string> uuids;
  for (const RunRow& row : m_rows) uuids.push_back(row.identity.uuid);
  return uuids;
}

Result<const RunRow*> LibrarySource::row(const std::string& uuid) const {
  for (const RunRow& row : m_rows)
    if (row.identity.uuid == uuid) return &row;
  return dataError("run " + uuid + " is not among the chosen ones");
}

Result<RunCurve> LibrarySource::curve(const std::string& run, const std::string& metric) {
  FATHOM_TRY(const RunRow* row, this->row(run));
  FATHOM_TRY(ScalarSeries series, requiredSeries(*m_index, *row, metric));
  RunCurve curve;
  curve.run = run;
  curve.name = row->name;
  curve.group = seedGroup(*row);
  curve.outcome = runStateName(row->state);
  curve.steps = std::move(series.step);
  curve.seconds = std::move(series.time);
  curve.epochs = std::move(series.epoch);
  curve.values = std::move(series.value);
  return curve;
}

Result<ProbedResult> LibrarySource::probed(const std::string& run, const std::string& analysis,
                                           const std::string& checkpoint) {
  FATHOM_TRY(const RunRow* row, this->row(run));
  std::string wanted = checkpoint;
  if (!checkpoint.empty() && checkpoint != "init") {
    FATHOM_TRY(const CheckpointManifest manifest, chooseCheckpoint(row->path, checkpoint));
    wanted = manifest.name;
  }
  const std::vector<StoredAnalysis> all = storedAnalyses(m_project, *row, analysis);
  const auto found = std::find_if(all.rbegin(), all.rend(), [&](const StoredAnalysis& stored) {
    return wanted.empty() || stored.request.checkpoint == wanted;
  });
  if (found != all.rend()) return ProbedResult{run, row->name, found->request.checkpoint, found->result};
  const std::string at = wanted.empty() ? "" : " --checkpoint " + wanted;
  return dataError("run " + row->name + " (" + run + ") has no " + analysis +
                       (wanted.empty() ? "" : " of checkpoint " + wanted),
                   "compute it: fathom analyse " + analysis + " --run " + run + at);
}

std::string seedGroup(const RunRow& row) {
  if (row.options.empty()) return {};
  Json options = row.options;
  for (const char* key : {"seed", "device", "threads"}) options.erase(key);
  return sha256Hex(options.dump()).substr(0, 16);
}

Result<ScalarSeries> requiredSeries(CurveIndex& index, const RunRow& row, const std::string& metric) {
  FATHOM_TRY(ScalarSeries series, index.series(row.path, metric));
  if (!series.value.empty()) return series;
  FATHOM_TRY(const auto metrics, index.metrics(row.path));
  std::string known;
  for (const std::string& name : metrics) known += (known.empty() ? "" : ", ") + name;
  Error error = dataError("run " + row.name + " (" + row.identity.uuid + ") has no metric '" + metric + "'",
                          known.empty() ? "it has no points yet" : "it has: " + known);
  error.key = "metric";
  return error;
}

}  // namespace fathom
