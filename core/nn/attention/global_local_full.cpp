// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "core/nn/attention/global_local.h"

namespace fathom {

namespace {

// [B, n, n] from windows [B or 1, n, 2r + 1]; `outside` where there is no window.
torch::Tensor squareOf(const torch::Tensor& windows, std::int64_t radius, std::int64_t outside) {
  const std::int64_t n = windows.size(1);
  const torch::Tensor places = at::arange(n, torch::kInt64);
  const torch::Tensor column = places.unsqueeze(0) - places.unsqueeze(1) + radius;  // [query, key]
  const torch::Tensor inside = column.ge(0).logical_and(column.le(2 * radius));
  return windows.to(torch::kInt64)
      .gather(2, column.clamp(0, 2 * radius).unsqueeze(0).expand({windows.size(0), n, n}))
      .masked_fill(inside.logical_not(), outside);
}

}  // namespace

GlobalLocalOutputs globalLocalFull(const GlobalLocalInputs& in, const LongStructure& structure,
                                   const GlobalLocalRules& rules) {
  const std::int64_t n = in.longRows.size(1), g = in.globalRows.size(1), b = in.longRows.size(0);
  const std::int64_t heads = rules.heads, width = in.longRows.size(2) / 3 / heads;
  const RelationPieces pieces = relationPieces(structure, rules);
  const auto split = [&](const torch::Tensor& rows) {
    return rows.view({b, rows.size(1), 3, heads, width}).permute({2, 0, 3, 1, 4});
  };
  const torch::Tensor all = at::cat({split(in.longRows), split(in.globalRows)}, 3);  // [3, B, H, n + g, d/H]
  const torch::Tensor key = all[1], value = all[2];
  const double scale = 1 / std::sqrt(static_cast<double>(width));
  const torch::Tensor square = squareOf(pieces.longLongIds, rules.radius, 0).expand({b, n, n});
  const torch::Tensor band = squareOf(pieces.longLongMask, rules.radius, 0).to(torch::kBool);

  const auto half = [&](const torch::Tensor& query, const torch::Tensor& table, const torch::Tensor& bias,
                        const torch::Tensor& ids, const torch::Tensor& mask, const torch::Tensor& previous,
                        torch::Tensor& chain) {
    const torch::Tensor tables = table.view({table.size(0), heads, width}).permute({1, 2, 0});
    const torch::Tensor byType = at::matmul(query, tables) + bias.t().unsqueeze(1);
    const torch::Tensor every = ids.unsqueeze(1).expand({b, heads, ids.size(1), ids.size(2)});
    const torch::Tensor scores = (at::matmul(query, key.transpose(2, 3)) + byType.gather(3, every)) * scale;
    const ChainedScores chained = chainScores(rules.chain, scores, previous, rules.layer);
    chain = chained.chain;
    const torch::Tensor hidden = mask.logical_not().unsqueeze(1);
    const torch::Tensor none = hidden.all(-1, true);
    const torch::Tensor p =
        at::softmax(chained.logits.masked_fill(hidden, -INFINITY).masked_fill(none, 0.0), -1)
            .masked_fill(none, 0.0);
    return at::matmul(p, value).transpose(1, 2).reshape({b, query.size(2), heads * width});
  };
  GlobalLocalOutputs out;
  out.longRows =
      half(all[0].narrow(2, 0, n), in.longTable, in.longBias, at::cat({square, pieces.longGlobalIds}, 2),
           at::cat({band, pieces.longGlobalMask}, 2), in.longChain, out.longChain);
  out.globalRows =
      half(all[0].narrow(2, n, g), in.globalTable, in.globalBias,
           at::cat({pieces.globalLongIds, pieces.globalGlobalIds}, 2),
           at::cat({pieces.globalLongMask, pieces.globalGlobalMask}, 2), in.globalChain, out.globalChain);
  return out;
}

}  // namespace fathom
