// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/analysis/analysis_entry.h"
#include "core/base/errors/result.h"
#include "core/base/json/json.h"

namespace fathom {

// |dL/dx_i| of one sub-layer's output, and relative to the largest of the network (Admin Fig 3).
struct SublayerNorm {
  std::string name;         // "decoder.layers.2.cross_attention"
  std::string stack, kind;  // "decoder", "cross_attention"
  int layer = 0;            // 0-based
  double norm = 0, relative = 0;
};

Json sublayerNormsToJson(const std::vector<SublayerNorm>& norms);
Result<std::vector<SublayerNorm>> sublayerNormsFromJson(const Json& json);

// Relative to the largest of the network.
Result<std::vector<LayerValue>> gradientLayers(const Json& result, bool);

}  // namespace fathom
