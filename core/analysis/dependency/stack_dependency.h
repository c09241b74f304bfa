// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/analysis_entry.h"
#include "core/analysis/dependency/beta_dependency.h"
#include "core/base/errors/result.h"
#include "core/base/json/json.h"

namespace fathom {

// β_ij of one stack of a model, as a stored result: rows x_1 … x_n, columns a_0 (the embedding) … a_n.
struct StackDependency {
  std::string stack, residual;         // "encoder", id of the residual scheme
  std::vector<std::string> sublayers;  // names, in order of execution
  std::int64_t tokens = 0;             // real ones
  BetaDependency beta;
};

Json dependenciesToJson(const std::vector<StackDependency>& stacks);
// A data error for anything that dependenciesToJson did not write.
Result<std::vector<StackDependency>> dependenciesFromJson(const Json& json);

// β_ii² of each sub-layer: how much its output is its own branch.
Result<std::vector<LayerValue>> ownBranches(const Json& result, bool);

}  // namespace fathom
