// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/objectives/judged_batches.h"
#include "core/train/parallel/rank_lookout.h"
#include "core/train/parallel/rank_share.h"

namespace fathom {

// The batches of a validation shared out over ranks in turn: batch b is judged by rank b mod their number,
// and rank 0 goes on with all of them. While it lives a thread of its own looks for wishes, so that one that
// any rank hears cuts a batch on all of them (RankShare::heard).
class ValidationShare final : public PartShare {
 public:
  explicit ValidationShare(RankShare& ranks);  // borrowed
  bool mine(std::int64_t batch) override;
  std::optional<std::vector<JudgedBatch>> meet(std::optional<std::vector<JudgedBatch>> mine) override;

 private:
  RankShare& m_ranks;
  RankLookout m_listener;
};

// Judged batches as bytes and back, every number to the bit. Texts of predictions are not part of it: rank 0
// makes them.
std::string packedBatches(const std::vector<JudgedBatch>& batches);
void unpackBatches(const std::string& bytes, std::vector<JudgedBatch>& batches);

}  // namespace fathom
