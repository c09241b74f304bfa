// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/norms/gradient_norm.h"
#include "core/base/errors/result.h"
#include "core/base/json/json.h"

namespace fathom {

// Norms of one matrix of an attention at the end of an epoch (Admin Figs 5, 11; docs/analyses.md §6).
struct MatrixNorm {
  std::string stack, sublayer;  // "encoder", "self_attention"
  std::string matrix;           // "query", "key", "value", "output": the paper's W^Q, W^K, W^V1, W^V2
  std::int64_t layer = 0;       // 0-based
  double gradient = 0;          // |dL/dW_i| over a fixed batch, Frobenius
  double update = 0;            // |W_i - W_(i-1)|; NaN before the first epoch and where W_(i-1) is not known
};

// A stored result: one epoch of one run.
struct EpochNorms {
  std::int64_t epoch = 0;  // epochs done
  std::vector<MatrixNorm> matrices;
};
Json epochNormsToJson(const EpochNorms& norms);
Result<EpochNorms> epochNormsFromJson(const Json& json);

// The course of one kind of matrix: a curve for each layer, epoch by epoch.
struct EpochNormCurves {
  std::string matrix;
  std::vector<double> epochs;
  std::vector<std::vector<double>> gradient, update;  // [layer][epoch], relative to the largest
};
// Curves of one attention of one stack, epochs in their order. An update stands at the epoch it begins with,
// as in the paper: |W_(i+1) - W_i| beside |dL/dW_i|. Kinds that the run has not are left out.
std::vector<EpochNormCurves> epochNormCurves(const std::vector<EpochNorms>& epochs, const std::string& stack,
                                             const std::string& sublayer, NormReference reference);

}  // namespace fathom
