// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/runner/queue_start.h"
#include "app/runs/training_request.h"
#include "core/analysis/training/grid_preset.h"
#include "core/library/records/project_library.h"

namespace fathom {

// The preset that a grid was started from, or "".
std::string presetOfGrid(const GridRecord& grid);
// The grid of a preset; one without axes where the preset has none or is unknown.
GridPreset gridPreset(const std::string& preset);
// The axes of a grid: those of the preset, where it is a grid, and those of --over on top (overAxis).
Result<std::vector<GridAxis>> gridAxes(const std::string& preset, const std::vector<std::string>& over);
// Name of the run at a point of the grid that is called so.
std::string gridPointName(const std::string& grid, const std::vector<GridAxis>& axes, const GridPoint& point);
// The configurations of a grid, each judged by the engine's rules; the error names the combination. A key
// that is inactive in some combination stays inactive there: schemes may be crossed freely.
Result<std::vector<RunConfig>> gridConfigs(const EngineDescription& engine, const TrainingRequest& base,
                                           const std::vector<GridAxis>& axes);
// A grid with its runs, ready for the queue: record, entries, and both in one step or neither.
struct QueuedGrid {
  GridRecord record;
  std::vector<QueueEntry> entries;
};
// `configs`: in the order of expandGrid.
QueuedGrid queuedGrid(const std::string& project, const std::string& name, const RunConfig& base,
                      const std::vector<GridAxis>& axes, const std::vector<RunConfig>& configs);
// The grid in the library, for queueRuns and addRuns. `library` is borrowed.
QueueRecord gridRecord(ProjectLibrary& library, const GridRecord& grid);

}  // namespace fathom
