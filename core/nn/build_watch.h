// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <string>

#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"

namespace fathom {

// While it lives, what makes or fills tensors on this thread tells how far it is and ends where somebody
// stops it: a large model takes minutes to build, and its parts know nothing of those who wait. Nothing else
// depends on it: values are the same with it and without. Watches may be nested; the innermost one counts.
class BuildWatch {
 public:
  // `progress` is borrowed and may be null. `elements` < 0: unknown.
  BuildWatch(Progress* progress, StopToken stop, const std::string& phase, double elements);
  ~BuildWatch();
  BuildWatch(const BuildWatch&) = delete;
  BuildWatch& operator=(const BuildWatch&) = delete;

  // So many elements more are done. Throws Failure(interrupted) when stopped; without a watch nothing
  // happens.
  static void passed(std::int64_t elements);

 private:
  Progress* m_progress;
  StopToken m_stop;
  BuildWatch* m_outer;
  double m_done = 0;
};

// Calls `fill` with one piece of the flat tensor after the other, each soon done, telling the watch. Pieces
// are multiples of 16 elements but for the last, which has at least 16 where there are as many: so random
// numbers of one generator are the same as those of the whole (torch draws normal ones in sixteens).
// `piece`: for tests.
void inPieces(const torch::Tensor& contiguous, const std::function<void(torch::Tensor)>& fill,
              std::int64_t piece = std::int64_t{1} << 24);

// at::full, made in pieces.
torch::Tensor filledTensor(torch::IntArrayRef shape, double value, const torch::TensorOptions& options);

}  // namespace fathom
