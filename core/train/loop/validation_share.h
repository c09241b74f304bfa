// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "core/objectives/part_walk.h"
#include "core/train/parallel/rank_share.h"

namespace fathom {

// The batches of a validation shared out over ranks in turn: batch b is judged by rank b mod their number,
// and rank 0 goes on with all of them. One thread.
class ValidationShare final : public PartShare {
 public:
  explicit ValidationShare(RankShare& ranks) : m_ranks(ranks) {}  // borrowed
  bool mine(std::int64_t batch) override;
  std::optional<std::vector<JudgedBatch>> meet(std::optional<std::vector<JudgedBatch>> mine) override;

 private:
  RankShare& m_ranks;
};

// Judged batches as bytes and back, every number to the bit. Texts of predictions are not part of it: rank 0
// makes them.
std::string packedBatches(const std::vector<JudgedBatch>& batches);
void unpackBatches(const std::string& bytes, std::vector<JudgedBatch>& batches);

}  // namespace fathom
