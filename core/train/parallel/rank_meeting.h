// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "core/train/parallel/gradient_exchange.h"
#include "core/train/parallel/parallel_settings.h"
#include "core/train/parallel/ranks.h"

namespace fathom {

// How the processes of one run find each other.
class RankMeeting {
 public:
  virtual ~RankMeeting() = default;
  virtual const Ranks& ranks() const = 0;  // as the starter of this process has said
  // This process among the ranks that the run will have.
  virtual Ranks planned(const ParallelSettings& settings) const = 0;
  // Rank 0 starts the others where nobody has; what they say goes to files of `folder`. Throws Failure.
  virtual std::unique_ptr<GradientExchange> meet(const ParallelSettings& settings,
                                                 const std::string& folder) = 0;
};

}  // namespace fathom
