// SPDX-License-Identifier: Apache-2.0
#include "tests/torch/support_tensors.h"

#include <algorithm>
#include <cmath>

#include "core/base/errors/error.h"
#include "core/init/initialisation.h"
#include "core/nn/models/model.h"
#include "core/optim/optimizer.h"
#include "core/record/formats/safetensors_file.h"

namespace fathom::fixtures {

std::map<std::string, torch::Tensor> readTensors(const std::string& path) {
  const SafetensorsFile file = SafetensorsFile::open(path).value();
  std::map<std::string, torch::Tensor> tensors;
  for (const TensorEntry& entry : file.entries()) {
    const auto type = entry.dtype == "I64"   ? torch::kInt64
                      : entry.dtype == "I16" ? torch::kInt16
                      : entry.dtype == "U8"  ? torch::kUInt8
                      : entry.dtype == "F32" ? torch::kFloat32
                                             : torch::kFloat64;
    torch::Tensor tensor = at::empty(entry.shape, type);
    file.read(entry, tensor.mutable_data_ptr()).value();
    tensors[entry.name] = tensor;
  }
  return tensors;
}

const torch::Tensor& TensorCase::at(const std::string& key) const {
  const auto found = tensors.find(key);
  if (found == tensors.end()) throw Failure(dataError("case " + name + " has no tensor '" + key + "'"));
  noteRead(file, key);
  return found->second;
}

std::map<std::string, torch::Tensor> TensorCase::beginning(const std::string& prefix) const {
  std::map<std::string, torch::Tensor> result;
  for (const auto& [key, tensor] : tensors) {
    if (!key.starts_with(prefix)) continue;
    noteRead(file, key);
    result[key.substr(prefix.size())] = tensor;
  }
  return result;
}

TensorCase readCase(const Case& place) {
  TensorCase result;
  result.name = place.name;
  result.json = readJson(place.file(".json"));
  result.file = place.file(".safetensors");
  if (!result.file.empty()) result.tensors = readTensors(result.file);
  return result;
}

namespace {
std::string compare(const torch::Tensor& a, const torch::Tensor& b, const torch::Tensor& allowed) {
  if (a.sizes() != b.sizes()) return "shapes differ";
  const torch::Tensor same = at::logical_or(a.eq(b), at::logical_and(a.isnan(), b.isnan()));
  const torch::Tensor excess = at::where(same, at::zeros_like(b), (a - b).abs() - allowed);
  const torch::Tensor bad = at::logical_or(excess.gt(0), excess.isnan());
  if (!bad.any().item<bool>()) return {};
  const std::int64_t worst = excess.nan_to_num(INFINITY).flatten().argmax().item<std::int64_t>();
  return std::to_string(bad.sum().item<std::int64_t>()) + " of " + std::to_string(b.numel()) +
         " entries differ, worst at " + std::to_string(worst) + ": " +
         jsonNumber(a.flatten()[worst].item<double>()) + " instead of " +
         jsonNumber(b.flatten()[worst].item<double>());
}
}  // namespace

std::string difference(const torch::Tensor& a, const torch::Tensor& b, double absolute, double relative) {
  const torch::Tensor left = a.detach().to(torch::kFloat64), right = b.detach().to(torch::kFloat64);
  return compare(left, right, right.abs() * relative + absolute);
}

std::string layersDifference(const torch::Tensor& a, const torch::Tensor& b, double tolerance) {
  const torch::Tensor left = a.detach().to(torch::kFloat64), right = b.detach().to(torch::kFloat64);
  return compare(left, right, right.abs().clamp_min(1) * tolerance);
}

double gradientError(const std::function<torch::Tensor()>& loss, const std::vector<torch::Tensor>& tensors,
                     int entries, double step) {
  for (const torch::Tensor& tensor : tensors) tensor.mutable_grad().reset();
  loss().backward();
  const at::NoGradGuard noGrad;
  double worst = 0;
  for (const torch::Tensor& tensor : tensors) {
    if (!tensor.grad().defined()) continue;
    const torch::Tensor values = tensor.detach().view(-1), gradient = tensor.grad().reshape(-1);
    const std::int64_t stride = std::max<std::int64_t>(1, values.numel() / entries);
    for (std::int64_t i = 0; i < values.numel(); i += stride) {
      const double before = values[i].item<double>();
      values[i].fill_(before + step);
      const double above = loss().item<double>();
      values[i].fill_(before - step);
      const double below = loss().item<double>();
      values[i].fill_(before);
      const double analytic = gradient[i].item<double>();
      worst = std::max(worst,
                       std::abs((above - below) / (2 * step) - analytic) / std::max(1.0, std::abs(analytic)));
    }
  }
  return worst;
}

OptionValues engineOptions(const std::vector<std::string>& assignments) {
  std::vector<OptionField> fields = nnOptionFields();
  std::vector<OptionRule> rules = nnOptionRules();
  for (const auto& more : {initOptionFields(), optimOptionFields()})
    fields.insert(fields.end(), more.begin(), more.end());
  for (const auto& more : {initOptionRules(), optimOptionRules()})
    rules.insert(rules.end(), more.begin(), more.end());
  OptionValues values{OptionSchema(fields, rules)};
  for (const std::string& assignment : assignments) values.setText(assignment).value();
  return values;
}

}  // namespace fathom::fixtures
