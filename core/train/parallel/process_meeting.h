// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/train/parallel/local_ranks.h"
#include "core/train/parallel/rank_meeting.h"

namespace fathom {

// Ranks that are processes, and meet by Gloo. One that nobody has started with others starts them itself, as
// many as the options say. Made on the thread of main(), before others.
class ProcessMeeting final : public RankMeeting {
 public:
  explicit ProcessMeeting(Ranks ranks);
  const Ranks& ranks() const override { return m_ranks; }
  Ranks planned(const ParallelSettings& settings) const override;
  std::unique_ptr<GradientExchange> meet(const ParallelSettings& settings,
                                         const std::string& folder) override;

 private:
  Ranks m_ranks;
  LocalRanks m_started;
};

}  // namespace fathom
