// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/errors/result.h"

namespace fathom {

// A checkpoint on offer for averaging.
struct CheckpointChoice {
  std::string name;
  std::int64_t position = 0;  // epoch or update it was written at
};
struct CheckpointSelection {
  std::vector<CheckpointChoice> chosen;  // ascending by position
  bool enough = true;                    // false: fewer than asked for exist; all of them are chosen
};
// The last `count` with position <= upperBound (docs/translation.md §6).
CheckpointSelection selectCheckpoints(std::vector<CheckpointChoice> offered, std::int64_t upperBound,
                                      std::int64_t count);

// Arithmetic mean of every tensor, omega like the rest. Sums in float64; results have the dtype of the first
// checkpoint.
class TensorMean {
 public:
  // Data error when names or shapes differ from those of the first checkpoint.
  Status add(const std::map<std::string, torch::Tensor>& tensors);
  std::map<std::string, torch::Tensor> mean() const;
  std::int64_t count() const { return m_count; }

 private:
  std::map<std::string, torch::Tensor> m_sums;
  std::map<std::string, torch::ScalarType> m_types;
  std::int64_t m_count = 0;
};

}  // namespace fathom
