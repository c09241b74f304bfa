// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/training_grid.h"

#include "app/runs/own_presets.h"
#include "core/base/errors/error_words.h"
#include "core/base/files/hash.h"
#include "core/base/json/json_members.h"
#include "core/record/presets.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

std::string gridPointName(const std::string& grid, const std::vector<GridAxis>& axes,
                          const GridPoint& point) {
  std::string name = grid;
  for (std::size_t i = 0; i < axes.size(); ++i)
    name += (name.empty() ? "" : " ") + std::string(axes[i].isSeed() ? "seed " : "") +
            axisValueText(point.values[i]);
  return name;
}

std::string presetOfGrid(const GridRecord& grid) {
  return grid.base.is_object() ? asText(grid.base.value("preset", Json(""))) : std::string();
}

GridPreset gridPreset(const std::string& preset) {
  const auto found = findAnyPreset(preset);
  return found.ok() ? gridPresetFromJson(found->grid, preset).value() : GridPreset();
}

Result<std::vector<GridAxis>> gridAxes(const std::string& preset, const std::vector<std::string>& over) {
  std::vector<GridAxis> axes;
  if (!preset.empty()) {
    FATHOM_TRY(const Preset found, findAnyPreset(preset));
    FATHOM_TRY(GridPreset grid, gridPresetFromJson(found.grid, preset));
    axes = std::move(grid.axes);
  }
  for (const std::string& text : over) FATHOM_CHECK(overAxis(axes, text));
  return axes;
}

Result<std::vector<RunConfig>> gridConfigs(const EngineDescription& engine, const TrainingRequest& base,
                                           const std::vector<GridAxis>& axes) {
  FATHOM_TRY(const std::vector<GridPoint> points, expandGrid(axes));
  std::vector<RunConfig> configs;
  for (const GridPoint& point : points) {
    TrainingRequest request = base;
    for (const auto& [key, value] : point.options)
      request.assignments.push_back(key + "=" + axisValueText(value));
    request.name = gridPointName(base.name, axes, point);
    auto config = trainingConfig(engine, request);
    if (!config) {
      return withMessage(config.error(),
                         Phrase::tr("combination '%1': %2")(request.name, config.error().messagePhrase()));
    }
    configs.push_back(std::move(*config));
  }
  return configs;
}

QueuedGrid queuedGrid(const std::string& project, const std::string& name, const RunConfig& base,
                      const std::vector<GridAxis>& axes, const std::vector<RunConfig>& configs) {
  QueuedGrid grid;
  grid.record.uuid = makeUuid();
  grid.record.name = name;
  grid.record.created = isoTimeNow();
  grid.record.base = runConfigToJson(base);
  grid.record.axes = gridAxesToJson(axes);
  for (const RunConfig& config : configs) {
    grid.entries.push_back(trainingEntry(project, config, grid.record.uuid));
    grid.record.runs.push_back(grid.entries.back().uuid);
  }
  return grid;
}

QueueRecord gridRecord(ProjectLibrary& library, const GridRecord& grid) {
  return {[&library, grid]() -> Status {
            const auto before = library.setGrid(grid);
            return before.ok() ? Status() : Status(before.error());
          },
          [&library, uuid = grid.uuid] { (void)library.removeGrid(uuid).ok(); }};
}

}  // namespace fathom
