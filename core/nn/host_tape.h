// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <string_view>

namespace fathom {

struct StepContext;

// Sees what the host hands to a device in the middle of a pass, beside the arrays of the batch: a pass that
// is recorded once and done again (core/train/graphs) must get it anew each time. At most one on a thread;
// while it lives, it is asked.
class HostTape {
 public:
  HostTape();
  virtual ~HostTape();
  HostTape(const HostTape&) = delete;
  HostTape& operator=(const HostTape&) = delete;
  // A tensor that was made on the host and is wanted on a device (uploaded()): the tensor of the device that
  // holds it, or an undefined one, after which it is sent as ever.
  virtual torch::Tensor upload(const torch::Tensor& host) = 0;
  // The seed of a mask (dropoutSeed()).
  virtual void seed(std::uint64_t seed, const StepContext& context, std::string_view site) = 0;

  static HostTape* current();  // of this thread; null outside of such a pass
};

}  // namespace fathom
