// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <functional>
#include <string>
#include <vector>

#include "core/kernels/device_graph.h"
#include "core/objectives/objective.h"
#include "core/train/graphs/graph_cache.h"
#include "core/train/graphs/pass_results.h"

namespace fathom {

// What the passes of an update get, beside weights: batches, and what the host makes of them in the middle.
struct PassInputs {
  std::vector<DeviceBatch> batches;    // micro-batches
  std::vector<torch::Tensor> uploads;  // of the host, of all micro-batches in their order
  StepContext context;                 // of the first micro-batch
};

// Passes of an update that a device does again as a whole. It has tensors of its own for its inputs, which
// are filled before each launch, seeds of masks among them, and its results are the same tensors each time.
class CapturedPass {
 public:
  // `masks`: in the order in which the pass asks for their seeds.
  CapturedPass(const torch::Device& device, const PassInputs& inputs, std::vector<MaskSite> masks);
  // Records `work`, which gets the batches with this pass's own arrays. Whatever else the host sends in it
  // must be the uploads of the inputs, in their order. Throws Failure, and std::exception with the words of
  // the device; nothing is recorded then.
  void capture(const std::function<PassResults(const std::vector<DeviceBatch>&)>& work);
  // The same for other inputs of the same shapes. Its results are overwritten by the next launch.
  const PassResults& launch(const PassInputs& inputs);

 private:
  void fill(const PassInputs& inputs);

  torch::Device m_device;
  DeviceGraph m_graph;
  std::vector<DeviceBatch> m_batches;    // of the capture, with own arrays
  std::vector<torch::Tensor> m_uploads;  // of the capture, on the host
  std::vector<torch::Tensor> m_inputs;   // own arrays, then own uploads, on the device
  std::vector<torch::Tensor> m_ownUploads;
  std::vector<MaskSite> m_masks;
  torch::Tensor m_seeds;  // int64 [masks, 2] on the device
  PassResults m_results;
};

// Compares what a pass sends in its middle with what was said of it. Undefined `said` ones are not sent.
class UploadCheck {
 public:
  explicit UploadCheck(const std::vector<torch::Tensor>& said) : m_said(said) {}
  // Index of the upload that `host` is; throws Failure where it is another one.
  std::size_t next(const torch::Tensor& host);
  void end() const;  // throws where something is missing

 private:
  const std::vector<torch::Tensor>& m_said;
  std::size_t m_next = 0;
};

}  // namespace fathom
