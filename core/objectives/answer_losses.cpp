// SPDX-License-Identifier: Apache-2.0
#include "core/objectives/answer_losses.h"

#include <limits>

#include "core/nn/device_upload.h"

namespace fathom {

torch::Tensor summedCrossEntropy(const torch::Tensor& logits, const torch::Tensor& labels) {
  const torch::Tensor logP =
      logits.to(torch::promoteTypes(logits.scalar_type(), torch::kFloat32)).log_softmax(1);
  return -logP.gather(1, labels.unsqueeze(1)).sum(torch::kFloat64);
}

torch::Tensor summedSquaredError(const torch::Tensor& logits, const torch::Tensor& values) {
  return (logits.squeeze(1).to(torch::kFloat64) - values.to(torch::kFloat64)).square().sum();
}

torch::Tensor summedSpanLoss(const torch::Tensor& logits, const torch::Tensor& targets) {
  return (summedCrossEntropy(logits.select(2, 0), targets.select(1, 0)) +
          summedCrossEntropy(logits.select(2, 1), targets.select(1, 1))) /
         2;
}

torch::Tensor placesByQuestion(const torch::Tensor& choices) {
  const torch::Tensor counts = choices.to(torch::kInt64).contiguous();
  const auto* count = counts.const_data_ptr<std::int64_t>();
  const std::int64_t questions = counts.size(0), most = counts.max().item<std::int64_t>();
  const std::int64_t all = counts.sum().item<std::int64_t>();
  if (all == questions * most) return {};
  torch::Tensor places = at::empty({all}, torch::kInt64);
  auto* place = places.mutable_data_ptr<std::int64_t>();
  for (std::int64_t q = 0; q < questions; ++q)
    for (std::int64_t c = 0; c < count[q]; ++c) *place++ = q * most + c;
  return places;
}

torch::Tensor scoresByQuestion(const torch::Tensor& scores, const torch::Tensor& choices) {
  const std::int64_t questions = choices.size(0), most = choices.max().item<std::int64_t>();
  const torch::Tensor places = placesByQuestion(choices);
  if (!places.defined()) return scores.view({questions, most});
  return at::full({questions * most}, -std::numeric_limits<double>::infinity(), scores.options())
      .index_copy(0, uploaded(places, scores.device()), scores)
      .view({questions, most});
}

}  // namespace fathom
