// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/options/option_field.h"

namespace fathom {

// Label smoothing (Transformer §5.4; docs/translation.md §4). Per token, natural log:
//   Uniform (the papers):   (1 - eps) nll + (eps / V) sum_v -log p_v
//   ExcludeTarget (fairseq since PR 3182):  (1 - eps - e) nll + e sum_v -log p_v,  e = eps / (V - 1)
enum class LabelSmoothingRule { Uniform, ExcludeTarget };

struct LabelSmoothing {
  double epsilon = 0;
  LabelSmoothingRule rule = LabelSmoothingRule::Uniform;
};

struct SmoothedLoss {
  torch::Tensor lossSum;  // scalar, summed over the rows that are not padding; differentiable
  torch::Tensor nllSum;   // scalar, unsmoothed, no gradient
};

// Rows that count: int64 [K] on the device of the loss; undefined: all.
struct KeptRows {
  torch::Tensor rows;
};
// Rows whose target is not `padId`; `target` [N] lies on the host.
KeptRows keptRows(const torch::Tensor& target, std::int64_t padId, const torch::Device& device);
// The same on the host; undefined: all.
torch::Tensor keptRowsOnHost(const torch::Tensor& target, std::int64_t padId);

// Loss of logits = hidden weight^T (+ bias [V]) without keeping [N, V]: rows go through projection, softmax,
// loss and their gradients in chunks, so that the backward pass only scales two small tensors. Rows whose
// target is `padId` give nothing; without any row the loss and its gradients are 0. hidden [N, d], weight [V,
// d], target [N] int64, floating dtype of both alike; softmax in float32 or wider. `chunkElements`: logits
// held at a time (0 = a size that suits the device).
SmoothedLoss projectedSmoothedLoss(const torch::Tensor& hidden, const torch::Tensor& weight,
                                   const torch::Tensor& target, std::int64_t padId,
                                   const LabelSmoothing& smoothing, std::int64_t chunkElements = 0,
                                   const torch::Tensor& bias = {});

// The same where the host has said which rows count: nobody waits for the device.
SmoothedLoss projectedSmoothedLoss(const torch::Tensor& hidden, const torch::Tensor& weight,
                                   const torch::Tensor& target, const KeptRows& kept,
                                   const LabelSmoothing& smoothing, std::int64_t chunkElements = 0,
                                   const torch::Tensor& bias = {});

// Options "loss.label_smoothing" and "loss.label_smoothing_rule".
std::vector<OptionField> labelSmoothingOptionFields();
LabelSmoothing labelSmoothing(const OptionValues& options);

}  // namespace fathom
