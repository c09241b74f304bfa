// SPDX-License-Identifier: Apache-2.0
#include "core/engine/free_input_predictions.h"

#include "core/base/options/decoding_keys.h"

namespace fathom {

std::vector<std::optional<Prediction>> predictFree(const StoredRun& stored, const Objective& objective,
                                                   const std::vector<HostBatch>& batches, std::size_t count,
                                                   const StopToken& stop) {
  const torch::NoGradGuard noGrad;
  std::vector<Prediction> predictions;
  for (const HostBatch& batch : batches) {
    for (Prediction& prediction :
         objective.predict(*stored.parts.model, toDevice(batch, stored.parts.device), kPredictDecoding, stop))
      predictions.push_back(std::move(prediction));
  }
  stored.parts.task->complete(predictions);
  std::vector<std::optional<Prediction>> ordered(count);
  for (Prediction& prediction : predictions)
    ordered.at(static_cast<std::size_t>(prediction.example.value)) = std::move(prediction);
  return ordered;
}

Phrase nothingToFill(const TextFindings& found) {
  return found.cut > 0 ? Phrase::tr("there is no %1 to fill within %2 tokens")(found.blank, found.lengthKey)
                       : Phrase::tr("there is no %1 to fill")(found.blank);
}

}  // namespace fathom
