// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/options/entry_table.h"
#include "core/base/options/option_field.h"
#include "core/nn/parameter_store.h"
#include "core/optim/device_moments.h"
#include "core/optim/lr_schedule.h"
#include "core/optim/moment_kernels.h"

namespace fathom {

// One tensor to update. Gradients are read from tensor.grad(); a tensor without a gradient is left out of the
// update.
struct OptimizerParameter {
  std::string name;
  torch::Tensor tensor;
  double weightDecay = 0;
  double rateFactor = 1;        // multiplies the learning rate (parameter groups)
  std::int64_t rateWarmup = 0;  // updates over which a group's rate grows from 0 to its share
  std::string rateSchedule{};   // id of a schedule of its own (with rateWarmup), "" = the one of the others
};

// Named tensors: "<parameter>.first_moment", "<parameter>.second_moment", with averaging
// "<parameter>.average", and "optimizer.updates" (int64 scalar).
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
  // The same for parameters of a device, whose numbers the host need not know. Gradients change.
  void stepOnDevice(double learningRate, DeviceScale scale);
  // An update that proved to have been left out (DeviceScale::leftOut) does not count.
  void takeBackStep() { --m_updates; }
  bool onDevice() const;  // whether parameters lie elsewhere than on the processor
  std::int64_t updates() const { return m_updates; }  // finished updates
  OptimizerState state() const;                       // CPU copies
  std::int64_t stateBytes() const;           // of the tensors it keeps; right on the meta device, too
  Status load(const OptimizerState& state);  // data error naming what is missing or mis-shaped
  const std::vector<OptimizerParameter>& parameters() const { return m_parameters; }
  // Schedules of groups that have their own; before the first step. The rate given to step() is for the
  // others. Usage error as lrScheduleSettings.
  Status planSchedules(const OptionValues& options, std::int64_t totalUpdates);
  // Keeps an exponential average of every parameter: a <- decay a + (1 - decay) p after each update, from the
  // values it has now. Before the first step; 0 turns it off.
  void keepAverage(double decay);
  bool averages() const { return m_averageDecay > 0; }

 protected:
  // The update of one parameter; t counts from 1.
  virtual MomentUpdate rates(const OptimizerParameter& parameter, std::int64_t t, double rate,
                             double gradientScale) const = 0;

 private:
  friend class AveragedWeights;
  struct Slot {
    OptimizerParameter parameter;
    torch::Tensor firstMoment, secondMoment, average;  // average: undefined when none is kept
    std::optional<LrScheduleSettings> schedule;
  };
  // Slots that always have the same constants.
  struct DeviceGroup {
    std::size_t slot = 0;  // one of them
    DeviceMoments moments;
  };
  double rateOf(const Slot& slot, double learningRate) const;  // of the update that m_updates counts
  std::vector<DeviceGroup>& deviceGroups();
  void follow(const torch::Tensor& leftOut);  // the averages

  double m_averageDecay = 0;
  std::vector<OptimizerParameter> m_parameters;
  std::vector<DeviceGroup> m_deviceGroups;
  std::vector<Slot> m_slots;
  std::int64_t m_updates = 0;
};

// While it lives, the parameters hold their averages (nothing happens where none are kept).
class AveragedWeights {
 public:
  explicit AveragedWeights(Optimizer& optimizer);
  ~AveragedWeights();
  AveragedWeights(const AveragedWeights&) = delete;
  AveragedWeights& operator=(const AveragedWeights&) = delete;

 private:
  std::vector<std::pair<torch::Tensor, torch::Tensor>> m_own;  // parameter, its own values
};
// Copies "<leaf>.average" tensors of an optimiser state into a model. Data error naming what is missing.
Status loadAverages(const OptimizerState& state, const ParameterStore& store);

struct OptimizerEntry {
  std::string id, title, reference;
  std::vector<OptionField> (*fields)() = noOptionFields;
  std::unique_ptr<Optimizer> (*make)(const OptionValues& options, std::vector<OptimizerParameter> parameters);
};
const std::vector<OptimizerEntry>& optimizerEntries();  // optimizers.list

// Learning parameters, in groups as the options say: weight decay, which ones decay, rates. Usage error for a
// group that fits none.
Result<std::vector<OptimizerParameter>> optimizerParameters(const OptionValues& options,
                                                            const ParameterStore& store);
// The optimiser that `optimizer` names, of these parameters as they are now.
Result<std::unique_ptr<Optimizer>> makeOptimizer(const OptionValues& options, const ParameterStore& store);

std::vector<OptionField> optimOptionFields();  // optimisers, schedules, clipping
std::vector<OptionRule> optimOptionRules();

}  // namespace fathom
