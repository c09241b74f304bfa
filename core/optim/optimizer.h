// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/option_field.h"
#include "core/base/result.h"
#include "core/nn/parameter_store.h"

namespace fathom {

// One tensor to update. Gradients are read from tensor.grad(); a tensor without a gradient is left out of the
// update.
struct OptimizerParameter {
  std::string name;
  torch::Tensor tensor;
  double weightDecay = 0;
  double rateFactor = 1;  // multiplies the learning rate (parameter groups)
};

// Named tensors: "<parameter>.first_moment", "<parameter>.second_moment" and "optimizer.updates" (int64
// scalar).
using OptimizerState = std::map<std::string, torch::Tensor>;

// Updates parameters in place. State is float32 for float32 parameters and float64 for float64 ones. One
// thread.
class Optimizer {
 public:
  explicit Optimizer(std::vector<OptimizerParameter> parameters);
  virtual ~Optimizer() = default;
  // One update with gradients multiplied by `gradientScale` on the fly (normalisation and clipping in one
  // factor; the stored gradients are not changed).
  void step(double learningRate, double gradientScale = 1);
  std::int64_t updates() const { return m_updates; }  // finished updates
  OptimizerState state() const;                       // CPU copies
  Status load(const OptimizerState& state);           // data error naming what is missing or mis-shaped
  const std::vector<OptimizerParameter>& parameters() const { return m_parameters; }

 protected:
  struct Slot {
    OptimizerParameter parameter;
    torch::Tensor firstMoment, secondMoment;
  };
  virtual void update(Slot& slot, std::int64_t t, double rate, double gradientScale) = 0;  // t counts from 1

 private:
  std::vector<OptimizerParameter> m_parameters;
  std::vector<Slot> m_slots;
  std::int64_t m_updates = 0;
};

struct OptimizerEntry {
  std::string id, title, reference;
  std::vector<OptionField> (*fields)();
  std::unique_ptr<Optimizer> (*make)(const OptionValues& options, std::vector<OptimizerParameter> parameters);
};
const std::vector<OptimizerEntry>& optimizerEntries();  // optimizers.list

// Groups as the options say (weight decay, which parameters decay) and the optimiser that `optimizer` names.
Result<std::unique_ptr<Optimizer>> makeOptimizer(const OptionValues& options, const ParameterStore& store);

std::vector<OptionField> optimOptionFields();  // optimisers, schedules, clipping
std::vector<OptionRule> optimOptionRules();

}  // namespace fathom
