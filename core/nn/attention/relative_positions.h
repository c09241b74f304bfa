// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <string>

#include "core/base/options/option_field.h"

namespace fathom {

// Relation ids where the data bring none: the clipped distance of key and query (Shaw et al. 2018 §3.2),
// id = clip(j - i, -k, k) + k, so 2k + 1 relation types.
constexpr std::int64_t relativeTypes(std::int64_t distance) {
  return 2 * distance + 1;
}
// int64 [1, queries, keys]; the last query stands at the last key, as in incremental decoding.
torch::Tensor relativePositions(std::int64_t queries, std::int64_t keys, std::int64_t distance,
                                const torch::Device& device);
// The same as relationBlocks() would make them, for sequences of a packed stream: spans int64 [B, 2].
torch::Tensor relativePositionBlocks(const torch::Tensor& spans, std::int64_t distance);

// "<stack>.attention.relation_aware.distance": k.
OptionField relativeDistanceField(const std::string& stack);
// k of a stack whose attention needs relations, else 0.
std::int64_t relativeDistance(const OptionValues& options, const std::string& stack);

}  // namespace fathom
