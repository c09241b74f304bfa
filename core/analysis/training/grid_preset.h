// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/analysis/training/run_grid.h"

namespace fathom {

// A preset that is a grid (member "grid" of its file): {"axes": [{"key", "title", "values"}],
// "metrics": ["valid.exact_match", …], "published": [{"metric", "source", "rows": [{"values": {"scheme":
// "DT-Fixup", "extra.layers": "8"}, "mean", "sd", "runs", "failed"}]}]}. "title" and settings as values:
// GridAxis. "runs" counts the failed ones; "mean" and "sd" are missing where none is published.
struct GridPreset {
  std::vector<GridAxis> axes;        // none: the preset is no grid
  std::vector<std::string> metrics;  // of its table, the first one first; none: whatever the runs have
  std::vector<PublishedColumn> published;
};
// `json`: null for a preset of one run. `preset` names it in errors.
Result<GridPreset> gridPresetFromJson(const Json& json, const std::string& preset);
// "key=value1,value2" of --over on top of a preset's axes: other values of its axis, or, of one of settings,
// some of them by name; another key is one more axis, in front of the seeds. Usage error for a setting that
// is not there.
Status overAxis(std::vector<GridAxis>& axes, const std::string& text);
// The settings of the axis that these names mean, whatever their case; usage error with what there is.
Result<std::vector<Json>> settingsNamed(const GridAxis& axis, const std::vector<std::string>& names);

}  // namespace fathom
