// SPDX-License-Identifier: Apache-2.0
#include "core/nn/attention/relative_positions.h"

#include <algorithm>
#include <cctype>

#include "core/base/options/field_builder.h"
#include "core/nn/attention/attention.h"

namespace fathom {

namespace {
std::string distanceKey(const std::string& stack) {
  return stack + ".attention.relation_aware.distance";
}
}  // namespace

torch::Tensor relativePositions(std::int64_t queries, std::int64_t keys, std::int64_t distance,
                                const torch::Device& device) {
  const torch::TensorOptions whole = torch::TensorOptions(torch::kInt64).device(device);
  const torch::Tensor query = at::arange(keys - queries, keys, whole).unsqueeze(1);
  return (at::arange(keys, whole) - query).clamp_(-distance, distance).add_(distance).unsqueeze(0);
}

torch::Tensor relativePositionBlocks(const torch::Tensor& spans, std::int64_t distance) {
  const auto span = spans.accessor<std::int64_t, 2>();
  std::int64_t cells = 0;
  for (std::int64_t b = 0; b < span.size(0); ++b) cells += span[b][1] * span[b][1];
  constexpr std::int64_t kLoadedAhead = 8;  // the kernel loads whole vectors
  torch::Tensor blocks = at::zeros({cells + kLoadedAhead}, torch::kInt32);
  auto* next = blocks.mutable_data_ptr<std::int32_t>();
  for (std::int64_t b = 0; b < span.size(0); ++b)
    for (std::int64_t i = 0; i < span[b][1]; ++i)
      for (std::int64_t j = 0; j < span[b][1]; ++j)
        *next++ = static_cast<std::int32_t>(std::clamp(j - i, -distance, distance) + distance);
  return blocks;
}

OptionField relativeDistanceField(const std::string& stack) {
  std::string title = stack + " largest distance";
  title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  return integerField(
             distanceKey(stack), title,
             "Without relation ids in the data, the relation of two tokens is their distance, cut off here "
             "on both sides.",
             16)
      .unit("tokens")
      .between(1, 1024)
      .reference("Shaw et al. 2018 §3.2");
}

std::int64_t relativeDistance(const OptionValues& options, const std::string& stack) {
  return attentionEntry(options.text(stack + ".attention")).relations ? options.integer(distanceKey(stack))
                                                                      : 0;
}

}  // namespace fathom
