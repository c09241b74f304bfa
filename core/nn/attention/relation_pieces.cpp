// SPDX-License-Identifier: Apache-2.0
#include "core/nn/attention/global_local.h"

namespace fathom {

namespace {

// Distances cut off on both sides, as ids.
torch::Tensor distanceIds(const torch::Tensor& by, const RelationIds& ids) {
  const torch::Tensor near = by.abs().clamp_max(ids.distance);
  return at::where(by.ge(0), near, near + ids.distance).masked_fill(by.eq(0), 0);
}

}  // namespace

RelationPieces relationPieces(const LongStructure& s, const GlobalLocalRules& rules) {
  const std::int64_t n = s.longLength(), g = s.globalLength(), batch = s.context.size(0);
  const std::int64_t r = rules.radius, window = rules.windowKeys();
  RelationPieces pieces;
  const torch::Tensor by = at::arange(-r, r + 1, torch::kInt64);
  pieces.longLongIds = distanceIds(by, rules.ids).view({1, 1, window}).expand({batch, n, window});
  const torch::Tensor around =
      at::constant_pad_nd(s.context, {r, r}, 0).unfold(1, window, 1);  // [B, n, 2r+1]
  pieces.longLongMask = around.eq(s.context.unsqueeze(2)).logical_and(s.context.gt(0).unsqueeze(2));

  const torch::Tensor globals = at::arange(g, torch::kInt32).view({1, 1, g});
  const auto is = [&](const torch::Tensor& place) { return place.unsqueeze(2).eq(globals); };
  const torch::Tensor within = is(s.sentence).logical_or(is(s.paragraph));
  const torch::Tensor belongs = within.logical_or(is(s.link));
  pieces.longGlobalIds = at::where(belongs, at::full({}, rules.ids.belonging(), torch::kInt64),
                                   at::full({}, rules.ids.apart(), torch::kInt64));
  pieces.globalLongIds = pieces.longGlobalIds.transpose(1, 2).contiguous();
  const torch::Tensor realLong = s.context.gt(0), realGlobal = s.globalContext.gt(0);
  pieces.longGlobalMask = realLong.unsqueeze(2).logical_and(realGlobal.unsqueeze(1));
  torch::Tensor seen = pieces.longGlobalMask.transpose(1, 2);
  if (!rules.exchange)
    seen = seen.logical_and(within.transpose(1, 2));
  else if (rules.hardGlobal)
    seen = seen.logical_and(within.transpose(1, 2).logical_or(s.everything.gt(0).unsqueeze(2)));
  pieces.globalLongMask = seen.contiguous();
  if (!rules.exchange) pieces.longGlobalMask = at::zeros_like(pieces.longGlobalMask);

  const torch::Tensor places = at::arange(g, torch::kInt64);
  const torch::Tensor between = distanceIds(places.unsqueeze(0) - places.unsqueeze(1), rules.ids);
  const torch::Tensor same = s.globalContext.unsqueeze(2).eq(s.globalContext.unsqueeze(1));
  pieces.globalGlobalIds =
      at::where(same, between.unsqueeze(0), at::full({}, rules.ids.otherContext(), torch::kInt64));
  pieces.globalGlobalMask = realGlobal.unsqueeze(2).logical_and(realGlobal.unsqueeze(1));
  if (!rules.exchange)
    pieces.globalGlobalMask = pieces.globalGlobalMask.logical_and(at::eye(g, torch::kBool).unsqueeze(0));
  return pieces;
}

}  // namespace fathom
