// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <optional>
#include <string>

#include "core/base/json/json.h"
#include "core/base/options/option_field.h"
#include "core/optim/loss_scaler.h"

namespace fathom {

// Number format of matrix products in mixed training, from the option `precision`: bfloat16 or float16;
// nothing for float32 and float64. Weights, norms, softmax, score chains and the loss stay in float32.
std::optional<torch::ScalarType> mixedFormat(const std::string& precision);

// While it lives, matrix products on this thread run in the given format (torch's autocast). Forward passes
// only.
class MixedScope {
 public:
  MixedScope(const torch::Device& device, std::optional<torch::ScalarType> format);
  ~MixedScope();
  MixedScope(const MixedScope&) = delete;
  MixedScope& operator=(const MixedScope&) = delete;

 private:
  torch::DeviceType m_device;
  bool m_active, m_before = false;
  torch::ScalarType m_formatBefore = torch::kFloat32;
};

// Options loss_scale.*, active under float16 (docs/precision.md §2).
std::vector<OptionField> lossScaleOptionFields();
// std::nullopt unless the precision is float16.
std::optional<LossScaler> lossScaler(const OptionValues& options);
Json lossScalerToJson(const LossScaler& scaler);
void restoreLossScaler(LossScaler& scaler, const Json& json);

}  // namespace fathom
