// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/nn/models/encoder_model.h"
#include "core/nn/models/sql_network.h"

namespace fathom {

// A network that derives queries: an encoder of rows of pieces, and what reads its states.
class QueryModel : public Model {
 public:
  // The encoder's states of a batch of rows [B * T, width], without a graph where nothing of it learns; and
  // where they lie.
  virtual torch::Tensor pieceStates(const TextBatch& rows, const StepContext& context) const = 0;
  static std::vector<std::int64_t> firstPieces(const TextBatch& rows);
  virtual const SqlNetwork& network() const = 0;
  virtual bool encoderLearns() const = 0;
};

}  // namespace fathom
