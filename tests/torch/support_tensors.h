// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <functional>
#include <map>
#include <string>

#include "core/base/options/option_field.h"
#include "tests/unit/support_fixtures.h"

namespace fathom::fixtures {

// All tensors of a safetensors file: float64, int64, int16 or uint8 as stored. They do not count as read yet.
std::map<std::string, torch::Tensor> readTensors(const std::string& path);

// A numeric case: its JSON and its tensors. `at` and `beginning` note what was read (unreadArrays).
struct TensorCase {
  std::string name;
  Json json;
  std::map<std::string, torch::Tensor> tensors;
  std::string file;  // of the tensors
  bool has(const std::string& key) const { return tensors.count(key) != 0; }
  const torch::Tensor& at(const std::string& key) const;  // Failure naming the case and the key
  // Those whose names begin with `prefix`, under the rest of their names.
  std::map<std::string, torch::Tensor> beginning(const std::string& prefix) const;
};
TensorCase readCase(const Case& place);

// Empty when |a-b| <= absolute + relative * |b| everywhere (NaN equals NaN, infinities must be equal), else a
// sentence with the worst entry. layersRule: |a-b| <= tolerance * max(1, |b|).
std::string difference(const torch::Tensor& a, const torch::Tensor& b, double absolute, double relative);
std::string layersDifference(const torch::Tensor& a, const torch::Tensor& b, double tolerance);

// Largest |analytic - central difference| relative to max(1, |gradient|) of `loss` over up to `entries`
// entries of each tensor. Tensors are float64 leaves that require gradients.
double gradientError(const std::function<torch::Tensor()>& loss, const std::vector<torch::Tensor>& tensors,
                     int entries = 12, double step = 1e-6);

// Options of nn, init, optimiser with defaults, then "key=value" assignments.
OptionValues engineOptions(const std::vector<std::string>& assignments = {});

}  // namespace fathom::fixtures
