// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/nn/models/model.h"
#include "core/objectives/objective.h"
#include "core/optim/optimizer.h"
#include "core/tasks/task.h"
#include "core/train/dry/memory_meter.h"

namespace fathom {

// Bytes of a model that does not exist: counted on torch's meta device, by the model and the optimiser
// themselves.
struct ModelBytes {
  ParameterCount parameters;
  std::int64_t weights = 0;    // learning or not
  std::int64_t gradients = 0;  // of those that learn
  std::int64_t optimiser = 0;
  std::int64_t averaged = 0;  // while averages stand in for the weights (validations)
  std::int64_t total() const { return weights + gradients + optimiser; }
};
Result<ModelBytes> modelBytes(const OptionValues& options, const ModelInputs& inputs);

// Cost of one update on one batch. Bytes are of tensors beyond weights and optimiser.
struct StepCost {
  double seconds = 0;           // forward, backward, norm of the gradient
  double optimiserSeconds = 0;  // the update itself
  double processorSeconds = 0;  // of all threads, in both: what else the machine does is not counted
  std::int64_t forward = 0;     // the most during the forward pass, nothing of a former update being there
  std::int64_t step = 0;        // the most through the backward pass, gradients included
};
// Cost of work done once before the first update, for some batches: states of a frozen encoder.
struct PrepareCost {
  double seconds = 0;
  std::int64_t bytes = 0, examples = 0;  // bytes: 0 where nothing is made
};
struct PassCost {
  double seconds = 0;
  std::int64_t bytes = 0;
};

// A model with optimiser and objective whose weights are noise: what it computes means nothing, what it costs
// is what a run costs. Nothing of it is kept. One thread; throws Failure.
class DryModel {
 public:
  // The task is borrowed. `inputs`: what the model is built for, which may be more pieces than the task has.
  DryModel(const OptionValues& options, const Task& task, const ModelInputs& inputs,
           const torch::Device& device);
  ~DryModel();
  PrepareCost prepare(const Task& task, std::span<const HostBatch* const> batches, const StopToken& stop);
  StepCost update(const HostBatch& batch);
  // Loss of a validation batch, without a graph.
  PassCost validate(const HostBatch& batch);
  // Outputs for it, as a scored validation makes them. The weights know no end: the longest there can be.
  PassCost decode(const HostBatch& batch, const StopToken& stop);
  std::int64_t resident() const { return m_resident; }  // bytes of weights and optimiser

 private:
  void addNoise();
  MemoryMeter m_meter;  // first: it sees the end of everything below
  torch::Device m_device;
  std::optional<torch::ScalarType> m_mixed;
  std::unique_ptr<Model> m_model;
  std::unique_ptr<Objective> m_objective;
  std::unique_ptr<Optimizer> m_optimizer;
  std::vector<torch::Tensor> m_learning;
  std::int64_t m_resident = 0, m_updates = 0;
};

}  // namespace fathom
