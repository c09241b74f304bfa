// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/errors/phrase.h"
#include "core/objectives/objective.h"
#include "core/train/graphs/captured_pass.h"
#include "core/train/graphs/graph_cache.h"
#include "core/train/graphs/pass_results.h"

namespace fathom {

// Forward and backward passes of the updates of a device, recorded per bucket of shapes where they can be
// (option device.graphs). Whatever cannot is computed plainly, with the same numbers, and the first reason of
// an attempt is said. One thread.
class UpdateGraphs {
 public:
  struct Parts {
    const Objective& objective;
    PassGatherer& update;
    torch::Device device;
    bool onDevice;  // not the processor
    std::function<LossTerms(const DeviceBatch&, const StepContext&)> forward;
    std::function<void(const Phrase&)> warn;  // why there are none
    std::function<void(const Phrase&)> say;   // what there is
  };
  // `wished`: device.graphs=auto. `scales`: a loss scale is at work (float16).
  UpdateGraphs(Parts parts, bool wished, bool scales);

  // Before the first update: says where the option can have no effect.
  void begin();
  // Passes of all micro-batches, behind PassGatherer::begin(): afterwards the update has gathered their terms
  // and gradients. Throws what a plain pass throws.
  void pass(const std::vector<DeviceBatch>& batches, const StepContext& context);

  // Graphs of this attempt.
  struct Counts {
    std::int64_t recorded = 0, launched = 0;
  };
  const Counts& counts() const { return m_counts; }

 private:
  struct Planned {
    std::string key;
    PassInputs inputs;
  };
  std::optional<Planned> planOf(const std::vector<DeviceBatch>& batches, const StepContext& context) const;
  void plain(const std::vector<DeviceBatch>& batches, const StepContext& context);
  void again(const std::vector<DeviceBatch>& batches, const StepContext& context);
  void watched(GraphBucket& bucket, const Planned& planned);
  void captured(GraphBucket& bucket, const Planned& planned);
  void launched(GraphBucket& bucket, const Planned& planned);
  void refuse(GraphBucket& bucket, const Phrase& reason);
  void turnOff(const Phrase& reason);

  Parts m_parts;
  bool m_on, m_scales, m_said = false;
  GraphCache m_cache;
  Counts m_counts;
};

}  // namespace fathom
