// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "core/train/parallel/gradient_exchange.h"

namespace fathom {

// Gradients of parameters on their way to the sum over all ranks, in flat buckets that are launched in one
// order while the backward pass goes on. A gradient itself stays what the backward pass made until finish().
// One thread.
class GradientBuckets {
 public:
  // `exchange` is borrowed. Parameters are leaves, in the order of the forward pass: their gradients come in
  // the reverse one. `bucketBytes` 0: as many buckets as suit their size.
  GradientBuckets(GradientExchange& exchange, const std::vector<torch::Tensor>& parameters,
                  std::int64_t bucketBytes = 0);
  ~GradientBuckets();
  GradientBuckets(const GradientBuckets&) = delete;
  GradientBuckets& operator=(const GradientBuckets&) = delete;

  // The next backward pass is the last one of this update: what it completes may leave.
  void arm();
  // Sends what no backward pass of this rank has completed: 1 for each parameter that has a gradient of this
  // rank, in the order of the buckets.
  std::vector<double> sendRest();
  // Waits; the sums become the gradients of those that have one on any rank, by the sums of sendRest().
  void finish(const std::vector<double>& present);

 private:
  struct State;
  std::shared_ptr<State> m_state;  // the hooks of the parameters have it, too
};

}  // namespace fathom
