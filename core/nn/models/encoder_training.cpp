// SPDX-License-Identifier: Apache-2.0
#include "core/nn/models/encoder_training.h"

#include <limits>

namespace fathom {

void freezeEncoder(ParameterStore& store, EncoderTraining training, std::int64_t layers,
                   std::int64_t trained) {
  if (training == EncoderTraining::Whole) return;
  const bool top = training == EncoderTraining::Top;
  const std::int64_t first = top ? layers - trained : std::numeric_limits<std::int64_t>::max();
  for (const Parameter& parameter : store.parameters()) {
    const ParameterInfo& info = parameter.info;
    if (info.stack == StackKind::Encoder && info.layer >= first) continue;
    if (info.stack == StackKind::Encoder && info.layer < 0 && top) continue;
    torch::Tensor leaf = store.leaves()[parameter.leaf].tensor;
    leaf.requires_grad_(false);
  }
}

}  // namespace fathom
