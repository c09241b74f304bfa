// SPDX-License-Identifier: Apache-2.0
#include "core/train/dry/dry_model.h"

#include <algorithm>
#include <chrono>
#include <ctime>

#include "core/base/options/decoding_keys.h"
#include "core/optim/gradient_clip.h"
#include "core/train/parts/mixed_precision.h"
#include "core/train/parts/run_parts.h"

namespace fathom {

namespace {

constexpr double kNoise = 0.02;  // deviation of the weights
constexpr double kRate = 1e-6;   // learning rate: the weights stay what they are

double secondsOf(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::int64_t bytesOf(const torch::Tensor& tensor) {
  return static_cast<std::int64_t>(tensor.nbytes());
}

// As parameterCount() does, of a model that is there, in one pass.
ParameterCount countOf(const ParameterStore& store) {
  ParameterCount count;
  for (const Parameter& parameter : store.parameters()) {
    const torch::Tensor& leaf = store.leaves()[parameter.leaf].tensor;
    const std::int64_t rows = leaf.dim() == 0 ? 1 : std::max<std::int64_t>(1, leaf.size(0));
    const std::int64_t elements = leaf.dim() == 0 ? 1 : leaf.numel() / rows * parameter.rows;
    const ParameterRole role = parameter.info.role;
    const bool table = role == ParameterRole::TokenEmbedding || role == ParameterRole::SegmentEmbedding ||
                       role == ParameterRole::PositionEmbedding || role == ParameterRole::OutputProjection;
    count.total += elements;
    if (table) {
      count.embeddings += elements;
    } else if (parameter.info.stack == StackKind::Encoder) {
      count.encoder += elements;
    } else if (parameter.info.stack == StackKind::Decoder) {
      count.decoder += elements;
    } else if (parameter.info.stack == StackKind::Extra) {
      count.extra += elements;
    }
  }
  return count;
}

}  // namespace

Result<ModelBytes> modelBytes(const OptionValues& options, const ModelInputs& inputs) {
  ModelBytes bytes;
  FATHOM_TRY(const auto model, buildModel(options, inputs, modelTensors(options, torch::kMeta)));
  bytes.parameters = countOf(model->parameters());
  FATHOM_TRY(const auto optimizer, makeOptimizer(options, model->parameters()));
  for (const Leaf& leaf : model->parameters().leaves()) {
    bytes.weights += bytesOf(leaf.tensor);
    if (leaf.tensor.requires_grad()) bytes.gradients += bytesOf(leaf.tensor);
  }
  bytes.optimiser = optimizer->stateBytes();
  if (optimizer->averages()) bytes.averaged = bytes.gradients;
  return bytes;
}

DryModel::DryModel(const OptionValues& options, const Task& task, const ModelInputs& inputs,
                   const torch::Device& device)
    : m_meter(device), m_device(device), m_mixed(mixedFormat(options.text("precision"))) {
  m_model = buildModel(options, inputs, modelTensors(options, device)).value();
  const ObjectiveEntry* entry = objectiveForTask(options.text("task"));
  if (entry == nullptr) throw Failure(internalError("no objective for " + options.text("task")));
  entry->accepts(*m_model).value();
  m_objective = entry->make(options, task);
  addNoise();
  m_optimizer = makeOptimizer(options, m_model->parameters()).value();
  m_optimizer->planSchedules(options, 1000).value();
  for (const OptimizerParameter& parameter : m_optimizer->parameters())
    m_learning.push_back(parameter.tensor);
  m_resident = m_meter.now();
}

DryModel::~DryModel() = default;

// Zeros would be cheaper than what is learned: nothing underflows, nothing is drawn.
void DryModel::addNoise() {
  const at::NoGradGuard noGrad;
  for (const Leaf& leaf : m_model->parameters().leaves())
    if (leaf.tensor.dim() >= 2) leaf.tensor.detach().uniform_(-2 * kNoise, 2 * kNoise);
}

// They are of the data, not of the model: a run holds them beside it.
PrepareCost DryModel::prepare(const Task& task, std::span<const HostBatch* const> batches,
                              const StopToken& stop) {
  PrepareCost cost;
  const auto begin = std::chrono::steady_clock::now();
  m_objective->prepare(*m_model, task, PrepareRequest{.only = batches, .stop = stop});
  cost.bytes = m_objective->preparedBytes();
  if (cost.bytes > 0) cost.seconds = secondsOf(begin);
  for (const HostBatch* batch : batches) cost.examples += batch->rows();
  m_resident = m_meter.now();
  return cost;
}

StepCost DryModel::update(const HostBatch& batch) {
  StepCost cost;
  const auto begin = std::chrono::steady_clock::now();
  const std::clock_t processor = std::clock();
  for (torch::Tensor& tensor : m_learning) tensor.mutable_grad().reset();
  m_meter.restart();
  const StepContext context{.seed = 1, .update = m_updates++, .training = true};
  double units = 0;
  {
    const DeviceBatch moved = toDevice(batch, m_device);
    LossTerms terms;
    {
      const MixedScope mixed(m_device, m_mixed);
      terms = m_objective->forward(*m_model, moved, context);
    }
    cost.forward = m_meter.most() - m_resident;
    units = static_cast<double>(terms.units);
    if (terms.units > 0) terms.loss.backward();
  }
  gradientNorm(m_learning);
  cost.step = m_meter.most() - m_resident;
  cost.seconds = secondsOf(begin);
  const auto applied = std::chrono::steady_clock::now();
  m_optimizer->step(kRate, units > 0 ? 1 / units : 0);
  // Reading a number back waits for a device that works on.
  if (!m_learning.empty()) (void)m_learning.front().detach().flatten()[0].item<double>();
  cost.optimiserSeconds = secondsOf(applied);
  cost.processorSeconds = static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC;
  return cost;
}

PassCost DryModel::validate(const HostBatch& batch) {
  const torch::NoGradGuard noGrad;
  const auto begin = std::chrono::steady_clock::now();
  m_meter.restart();
  const std::int64_t before = m_meter.now();
  const LossTerms terms =
      m_objective->forward(*m_model, toDevice(batch, m_device), StepContext{.seed = 1, .training = false});
  (void)terms.loss.item<double>();
  return {secondsOf(begin), m_meter.most() - before};
}

PassCost DryModel::decode(const HostBatch& batch, const StopToken& stop) {
  const torch::NoGradGuard noGrad;
  const auto begin = std::chrono::steady_clock::now();
  m_meter.restart();
  const std::int64_t before = m_meter.now();
  (void)m_objective->predict(*m_model, toDevice(batch, m_device), kValidationDecoding, stop);
  return {secondsOf(begin), m_meter.most() - before};
}

}  // namespace fathom
