// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <map>
#include <string>
#include <string_view>

#include "core/tasks/host_batch.h"

namespace fathom {

// A HostBatch for a model: the same names, dtypes and shapes. `arrays` lie where the model is, in one copy;
// raggeds, and everything that host() gives, lie on the host and share its buffers: lengths, labels and
// counts that decide what is computed are read there, so that nobody waits for the device.
struct DeviceBatch {
  struct Ragged {
    torch::Tensor values;   // [total, ...]
    torch::Tensor offsets;  // [rows + 1] int64
  };
  std::map<std::string, torch::Tensor, std::less<>> arrays;
  std::map<std::string, torch::Tensor, std::less<>> onHost;
  std::map<std::string, Ragged, std::less<>> raggeds;
  std::vector<ExampleId> examples;
  std::int64_t targetUnits = 0;
  std::int64_t paddedUnits = 0;

  std::int64_t rows() const { return static_cast<std::int64_t>(examples.size()); }
  // The named array, where the model is and on the host. Throws Failure(internal) naming the missing array.
  const torch::Tensor& array(std::string_view name) const;
  const torch::Tensor& host(std::string_view name) const;
  // Row of a ragged of texts (raggedOfTexts).
  std::string text(std::string_view name, std::size_t row) const;
};

// `ahead`: the device may be at work on something else meanwhile (device_upload.h).
DeviceBatch toDevice(const HostBatch& batch, const torch::Device& device, bool ahead = false);

}  // namespace fathom
