// SPDX-License-Identifier: Apache-2.0
// The window form: the same attention by operators that know their own gradients, on any device and in any
// type. Long queries in blocks of r + 1, each with the keys of its own and both neighbouring blocks, cut to
// the 2r + 1 keys of each query by a turn of the rows (ETC App. A).
#include <cmath>

#include "core/nn/attention/global_local.h"
#include "core/nn/dropout.h"

namespace fathom {

namespace {

struct Heads {
  torch::Tensor query, key, value;  // [B, H, n, d/H]
};

Heads headsOf(const torch::Tensor& rows, std::int64_t heads) {
  const std::int64_t width = rows.size(2) / 3 / heads;
  const torch::Tensor parts =
      rows.view({rows.size(0), rows.size(1), 3, heads, width}).permute({2, 0, 3, 1, 4});
  return {parts.select(0, 0), parts.select(0, 1), parts.select(0, 2)};
}

torch::Tensor joinedHeads(const torch::Tensor& x) {
  return x.transpose(1, 2).reshape({x.size(0), x.size(2), -1});
}

// q E + b for every type [B, H, queries, types].
torch::Tensor byType(const torch::Tensor& query, const torch::Tensor& table, const torch::Tensor& bias) {
  const std::int64_t heads = query.size(1);
  const torch::Tensor tables = table.view({table.size(0), heads, -1}).permute({1, 2, 0});  // [H, d/H, types]
  return at::matmul(query, tables) + bias.t().unsqueeze(1);
}

// Blocks of the long stream and their turn into windows.
class Windows {
 public:
  Windows(std::int64_t length, std::int64_t radius)
      : m_length(length), m_radius(radius), m_block(radius + 1), m_blocks((length + radius) / (radius + 1)) {}

  // [B, H, n, x] -> [B, H, blocks, block, x], zeros behind the last row.
  torch::Tensor blocked(const torch::Tensor& x) const {
    const torch::Tensor padded = at::constant_pad_nd(x, {0, 0, 0, m_blocks * m_block - m_length});
    return padded.view({x.size(0), x.size(1), m_blocks, m_block, x.size(3)});
  }
  // Each block with its neighbours [B, H, blocks, 3 block, x].
  torch::Tensor neighbours(const torch::Tensor& x) const {
    const torch::Tensor padded = at::constant_pad_nd(x, {0, 0, m_block, (m_blocks + 1) * m_block - m_length});
    return padded.unfold(2, 3 * m_block, m_block).transpose(3, 4);
  }
  // [B, H, blocks, block, 3 block] -> [B, H, n, 2r + 1]: row i of a block begins at column i + 1.
  torch::Tensor cut(const torch::Tensor& scores) const {
    const std::int64_t wide = 3 * m_block;
    const torch::Tensor flat = at::constant_pad_nd(scores.flatten(3, 4), {0, m_block});
    return flat.view({scores.size(0), scores.size(1), m_blocks, m_block, wide + 1})
        .narrow(4, 1, 2 * m_radius + 1)
        .reshape({scores.size(0), scores.size(1), m_blocks * m_block, 2 * m_radius + 1})
        .narrow(2, 0, m_length);
  }
  // The other way, zeros where a block's row has no window.
  torch::Tensor spread(const torch::Tensor& windows) const {
    const std::int64_t wide = 3 * m_block;
    const torch::Tensor rows =
        at::constant_pad_nd(blocked(windows), {1, wide - 2 * m_radius - 1});  // [.., block, 3 block + 1]
    return rows.flatten(3, 4)
        .narrow(3, 0, m_block * wide)
        .view({windows.size(0), windows.size(1), m_blocks, m_block, wide});
  }
  torch::Tensor unblocked(const torch::Tensor& x) const { return x.flatten(2, 3).narrow(2, 0, m_length); }

 private:
  std::int64_t m_length, m_radius, m_block, m_blocks;
};

torch::Tensor wide(const torch::Tensor& scores) {  // mixed precision: chain and softmax are wide
  const auto type = scores.scalar_type();
  return type == torch::kHalf || type == torch::kBFloat16 ? scores.to(torch::kFloat32) : scores;
}

// Relation terms of one piece: ids [B or 1, queries or 1, keys].
torch::Tensor related(const torch::Tensor& byType, const torch::Tensor& ids) {
  return byType.gather(
      3, ids.unsqueeze(1).expand({byType.size(0), byType.size(1), byType.size(2), ids.size(2)}));
}

// Softmax over the visible keys; a query that sees none gets zeros.
torch::Tensor visibleSoftmax(const torch::Tensor& logits, const torch::Tensor& mask) {
  const torch::Tensor none = mask.any(-1, true).logical_not();
  return at::softmax(logits.masked_fill(mask.logical_not(), -INFINITY).masked_fill(none, 0.0), -1)
      .masked_fill(none, 0.0);
}

// Dropout with the mask of a site's seed, as `dropout` makes it.
torch::Tensor dropped(const torch::Tensor& p, double rate, std::uint64_t seed) {
  return rate > 0 ? seededDropout(p, rate, seed) : p;
}

struct Weighed {
  GlobalLocalHalf half;
  torch::Tensor kept;  // probabilities after dropout
};

Weighed weigh(const torch::Tensor& content, const torch::Tensor& relations, const torch::Tensor& mask,
              const torch::Tensor& previous, const GlobalLocalRules& rules, std::uint64_t seed) {
  const torch::Tensor scores = content + relations;
  const ChainedScores chained = chainScores(rules.chain, scores, previous, rules.layer);
  const torch::Tensor heads = mask.unsqueeze(1);
  const torch::Tensor p = visibleSoftmax(chained.logits, heads);
  const torch::Tensor logits = chained.logits.masked_fill(heads.logical_not(), -INFINITY);
  return {{scores, relations, chained.chain, logits, p}, dropped(p, rules.dropout, seed)};
}

void hand(GlobalLocalHalf* to, const GlobalLocalHalf& half) {
  if (to == nullptr) return;
  *to = half;
  if (!to->chain.defined()) to->chain = half.scores;
}

}  // namespace

GlobalLocalOutputs globalLocalWindow(const GlobalLocalInputs& in, const SoftmaxPieces& pieces,
                                     const GlobalLocalRules& rules, GlobalLocalHalf* longHalf,
                                     GlobalLocalHalf* globalHalf) {
  const Heads longs = headsOf(in.longRows, rules.heads), globals = headsOf(in.globalRows, rules.heads);
  const double scale = 1 / std::sqrt(static_cast<double>(longs.query.size(3)));
  const Windows windows(longs.query.size(2), rules.radius);
  const std::int64_t window = rules.windowKeys(), g = globals.query.size(2);
  const auto product = [&](const torch::Tensor& a, const torch::Tensor& b) {
    return wide(at::matmul(a, b.transpose(-1, -2))) * scale;
  };

  const torch::Tensor near =
      windows.cut(at::matmul(windows.blocked(longs.query), windows.neighbours(longs.key).transpose(3, 4)));
  const torch::Tensor longContent = at::cat({wide(near) * scale, product(longs.query, globals.key)}, 3);
  const torch::Tensor longTypes = wide(byType(longs.query, in.longTable, in.longBias)) * scale;
  const Weighed longWeights = weigh(longContent, related(longTypes, pieces.longIds), pieces.longMask,
                                    in.longChain, rules, rules.longSeed);
  const torch::Tensor longKept = longWeights.kept.to(longs.value.scalar_type());
  const torch::Tensor fromWindow = windows.unblocked(
      at::matmul(windows.spread(longKept.narrow(3, 0, window)), windows.neighbours(longs.value)));
  const torch::Tensor longOut = fromWindow + at::matmul(longKept.narrow(3, window, g), globals.value);

  const torch::Tensor globalContent =
      at::cat({product(globals.query, globals.key), product(globals.query, longs.key)}, 3);
  const torch::Tensor globalTypes = wide(byType(globals.query, in.globalTable, in.globalBias)) * scale;
  const Weighed globalWeights = weigh(globalContent, related(globalTypes, pieces.globalIds),
                                      pieces.globalMask, in.globalChain, rules, rules.globalSeed);
  const torch::Tensor globalOut =
      at::matmul(globalWeights.kept.to(longs.value.scalar_type()), at::cat({globals.value, longs.value}, 2));
  hand(longHalf, longWeights.half);
  hand(globalHalf, globalWeights.half);
  return {joinedHeads(longOut), joinedHeads(globalOut), longWeights.half.chain, globalWeights.half.chain};
}

}  // namespace fathom
