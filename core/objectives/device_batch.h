// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <map>
#include <string>
#include <string_view>

#include "core/tasks/host_batch.h"

namespace fathom {

// A HostBatch where the model is: the same names, dtypes and shapes. On the CPU the tensors share the host
// buffers (no copy); elsewhere they are copied.
struct DeviceBatch {
  struct Ragged {
    torch::Tensor values;   // [total, ...]
    torch::Tensor offsets;  // [rows + 1] int64
  };
  std::map<std::string, torch::Tensor, std::less<>> arrays;
  std::map<std::string, Ragged, std::less<>> raggeds;
  std::vector<ExampleId> examples;
  std::int64_t targetUnits = 0;
  std::int64_t paddedUnits = 0;

  std::int64_t rows() const { return static_cast<std::int64_t>(examples.size()); }
  // Throws Failure(internal) naming the missing array.
  const torch::Tensor& array(std::string_view name) const;
  // Row of a ragged of texts (raggedOfTexts).
  std::string text(std::string_view name, std::size_t row) const;
};

DeviceBatch toDevice(const HostBatch& batch, const torch::Device& device);

}  // namespace fathom
