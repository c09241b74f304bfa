// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/nn/attention/global_local.h"
#include "core/nn/models/encoder_model.h"

namespace fathom {

// A padded batch of both streams.
struct LongBatch {
  torch::Tensor tokens, segments;              // int64 [B, n]; segments may be undefined: all 1
  torch::Tensor globalTokens, globalSegments;  // int64 [B, g]; segments may be undefined: all 0
  LongStructure structure;
  torch::Tensor globalFeatures = {};  // float [B, g, 8], or undefined: the data have none
};

// The structure of texts that bring none: one context, a global token for each run of `run` tokens, as the
// sentence of a text would have one. padding [B, n] bool or undefined.
LongStructure runsOfTokens(const torch::Tensor& padding, std::int64_t batch, std::int64_t length,
                           std::int64_t run);

// A network of a long and a global stream, whose last states heads over both read.
class LongModel : public EncoderModel {
 public:
  virtual GlobalLocal::Streams streams(const LongBatch& batch, const StepContext& context) const = 0;
};

}  // namespace fathom
