// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/objectives/objective.h"

namespace fathom {

// Findings on one batch of a part, on the host.
struct JudgedBatch {
  struct Sum {
    std::string name;
    double sum = 0, count = 0;
  };
  std::int64_t batch = 0;  // its number in the part
  bool gold = false;       // known: only then are there numbers
  double loss = 0, units = 0;
  std::vector<Sum> sums;
  std::vector<Prediction> predictions;  // one for each example, where they are asked for

  // Numbers of terms; waits for the device.
  void take(const LossTerms& terms);
};

// Processes that share out the batches of a part. All of them walk over it at the same time.
class PartShare {
 public:
  virtual ~PartShare() = default;
  // Asked once for each batch, in order: true for exactly one of the processes.
  virtual bool mine(std::int64_t batch) = 0;
  // The batches of all, in order, for the one that goes on with them; nothing for the others. `mine` is
  // nothing on a process that was stopped: then this throws Failure(interrupted) on all of them.
  virtual std::optional<std::vector<JudgedBatch>> meet(std::optional<std::vector<JudgedBatch>> mine) = 0;
};

// Judges every batch of a part, or those that are this process's own (EvaluationRequest::share). The batches
// in their order, whoever has judged them; nothing where another process goes on with them. Throws Failure:
// usage for an empty part, interrupted.
std::optional<std::vector<JudgedBatch>> judgePart(
    const Task& task, const EvaluationRequest& request, const torch::Device& device,
    const std::function<JudgedBatch(const DeviceBatch&)>& judge);

// Sums over a part, added batch by batch in their order: the same bits however the batches were shared out.
struct PartSums {
  bool gold = true;  // of every batch is known
  double loss = 0, units = 0;
  std::vector<JudgedBatch::Sum> sums;
};
PartSums sumsOf(const std::vector<JudgedBatch>& batches);

// Predictions of the batches, in their order.
std::vector<Prediction> takePredictions(std::vector<JudgedBatch>& batches);

}  // namespace fathom
