// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

namespace fathom {

// Losses of fine-tuning (docs/fine_tuning.md §4, §5, §6), sums over rows in float64, at least float32 inside.

// -log softmax of the labels' entries: logits [R, C], labels [R] i64.
torch::Tensor summedCrossEntropy(const torch::Tensor& logits, const torch::Tensor& labels);
// Loss on the first output: logits [R, 1], values [R].
torch::Tensor summedSquaredError(const torch::Tensor& logits, const torch::Tensor& values);
// Half of start's and end's: logits [R, T, 2], targets [R, 2] i64.
torch::Tensor summedSpanLoss(const torch::Tensor& logits, const torch::Tensor& targets);
// [B, C] of the scores [R] of all answers, `choices` [B] i64 of each question, on the host; -inf where a
// question has fewer answers than others.
torch::Tensor scoresByQuestion(const torch::Tensor& scores, const torch::Tensor& choices);
// Places of the scores in [B * C], int64 on the host; undefined where every question has C answers.
torch::Tensor placesByQuestion(const torch::Tensor& choices);

}  // namespace fathom
