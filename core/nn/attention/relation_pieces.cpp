// SPDX-License-Identifier: Apache-2.0
#include "core/nn/attention/global_local.h"
#include "core/nn/device_upload.h"

namespace fathom {

namespace {

// Distances cut off on both sides, as ids.
torch::Tensor distanceIds(const torch::Tensor& by, const RelationIds& ids) {
  const torch::Tensor near = by.abs().clamp_max(ids.distance);
  return at::where(by.ge(0), near, near + ids.distance).masked_fill(by.eq(0), 0);
}

// `sure` where a pair is one, else `otherwise`: no number of the host takes part.
torch::Tensor either(const torch::Tensor& pairs, std::int64_t sure, std::int64_t otherwise) {
  return at::full(pairs.sizes(), otherwise, pairs.options().dtype(torch::kInt64)).masked_fill(pairs, sure);
}

LongStructure structureOn(const LongStructure& s, const torch::Device& device) {
  DeviceUpload upload(device);
  LongStructure there{upload.add(s.sentence), upload.add(s.paragraph),     upload.add(s.link),
                      upload.add(s.context),  upload.add(s.globalContext), upload.add(s.everything)};
  upload.send();
  return there;
}

}  // namespace

RelationPieces relationPieces(const LongStructure& s, const GlobalLocalRules& rules) {
  const std::int64_t n = s.longLength(), g = s.globalLength(), batch = s.context.size(0);
  const std::int64_t r = rules.radius, window = rules.windowKeys();
  RelationPieces pieces;
  const auto options = s.context.options(), whole = options.dtype(torch::kInt64);
  const torch::Tensor by = at::arange(-r, r + 1, whole);
  pieces.longLongIds = distanceIds(by, rules.ids).view({1, 1, window}).expand({batch, n, window});
  const torch::Tensor around =
      at::constant_pad_nd(s.context, {r, r}, 0).unfold(1, window, 1);  // [B, n, 2r+1]
  pieces.longLongMask = around.eq(s.context.unsqueeze(2)).logical_and(s.context.gt(0).unsqueeze(2));

  const torch::Tensor globals = at::arange(g, options).view({1, 1, g});
  const auto is = [&](const torch::Tensor& place) { return place.unsqueeze(2).eq(globals); };
  const torch::Tensor within = is(s.sentence).logical_or(is(s.paragraph));
  const torch::Tensor belongs = within.logical_or(is(s.link));
  pieces.longGlobalIds = either(belongs, rules.ids.belonging(), rules.ids.apart());
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

  const torch::Tensor places = at::arange(g, whole);
  const torch::Tensor between = distanceIds(places.unsqueeze(0) - places.unsqueeze(1), rules.ids);
  const torch::Tensor same = s.globalContext.unsqueeze(2).eq(s.globalContext.unsqueeze(1));
  pieces.globalGlobalIds =
      between.unsqueeze(0).expand_as(same).masked_fill(same.logical_not(), rules.ids.otherContext());
  pieces.globalGlobalMask = realGlobal.unsqueeze(2).logical_and(realGlobal.unsqueeze(1));
  if (!rules.exchange)
    pieces.globalGlobalMask =
        pieces.globalGlobalMask.logical_and(at::eye(g, options.dtype(torch::kBool)).unsqueeze(0));
  return pieces;
}

SoftmaxPieces softmaxPieces(const LongStructure& structure, const GlobalLocalRules& rules,
                            const torch::Device& device) {
  const RelationPieces of = relationPieces(structureOn(structure, device), rules);
  return {at::cat({of.longLongIds, of.longGlobalIds}, 2), at::cat({of.longLongMask, of.longGlobalMask}, 2),
          at::cat({of.globalGlobalIds, of.globalLongIds}, 2),
          at::cat({of.globalGlobalMask, of.globalLongMask}, 2)};
}

}  // namespace fathom
