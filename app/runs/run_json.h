// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/analysis/analysis_entry.h"
#include "core/base/json/json.h"
#include "core/library/queue/queue_folder.h"
#include "core/library/runs/run_listing.h"

namespace fathom {

// The stable JSON of a run: runRowToJson (core/library/runs/run_listing.h) with path, tags, notes, colour and
// starred; provenance and options only where asked.
Json runJson(const RunRow& row, RowParts parts = RowParts::WithoutOptions);
// A run that waits in the queue and has no folder yet, with its options; and its JSON in the same shape.
RunRow queuedRow(const QueueEntry& entry);
Json queuedRunJson(const QueueEntry& entry);

// Not where it was imported from a log without times: then `elapsed` is null.
bool tellsItsTime(const RunRow& row);

// The grid people name by UUID, beginning of one (at least 4 characters) or name; usage error with the
// nearest.
Result<GridRecord> findGrid(ProjectLibrary& library, const std::string& word);
// The runs people name by UUID, beginning of one, name or path, in that order; "grid:NAME" = all of a grid.
Result<std::vector<RunRow>> findRuns(ProjectLibrary& library, const std::vector<std::string>& words);

// The first letters of a run's UUID for a column of a table; of one that cannot be read the name of its
// folder.
std::string shortRunId(const RunRow& row);

// Did it end badly? What a person aborted did not: like a stopped run it counts with what it reached.
bool endedBadly(const RunRow& row);
// Facts of a run that analyses and grids ask for.
RunFacts runFacts(const RunRow& row);

// "1.234e-05", "12.35": four significant digits; "-" for nothing.
std::string shownNumber(double value);
// The metric that says most about a run (Metric::headline), else the first; "" where it has none.
std::string headlineMetric(const RunRow& row);

}  // namespace fathom
