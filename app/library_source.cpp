// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/library_source.h"

#include "core/base/hash.h"

namespace fathom {

Result<std::unique_ptr<LibrarySource>> LibrarySource::open(const std::string& project,
                                                           std::vector<RunRow> rows) {
  std::unique_ptr<LibrarySource> source(new LibrarySource);
  FATHOM_TRY(source->m_index, CurveIndex::open(project));
  source->m_rows = std::move(rows);
  return source;
}

std::vector<std::string> LibrarySource::runs() const {
  std::vector<std::string> uuids;
  for (const RunRow& row : m_rows) uuids.push_back(row.identity.uuid);
  return uuids;
}

Result<RunCurve> LibrarySource::curve(const std::string& run, const std::string& metric) {
  for (const RunRow& row : m_rows) {
    if (row.identity.uuid != run) continue;
    FATHOM_TRY(ScalarSeries series, requiredSeries(*m_index, row, metric));
    RunCurve curve;
    curve.run = run;
    curve.name = row.name;
    curve.group = seedGroup(row);
    curve.outcome = runStateName(row.state);
    curve.steps = std::move(series.step);
    curve.seconds = std::move(series.time);
    curve.epochs = std::move(series.epoch);
    curve.values = std::move(series.value);
    return curve;
  }
  return dataError("run " + run + " is not among the chosen ones");
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
