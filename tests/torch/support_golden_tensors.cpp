// SPDX-License-Identifier: Apache-2.0
#include "tests/torch/support_golden_tensors.h"
#include "tests/unit/support_tensor_values.h"

#include "core/record/formats/safetensors_file.h"
#include "tests/unit/support_fixtures.h"

namespace fathom::test {

torch::Tensor GoldenCase::tensor(const std::string& key) const {
  const SafetensorsFile file = SafetensorsFile::open(tensorFile).value();
  const TensorEntry* entry = file.find(key);
  if (entry == nullptr) throw Failure(dataError(name + " has no tensor '" + key + "'"));
  fixtures::noteRead(tensorFile, key);
  torch::Tensor result = torch::empty(entry->shape, torch::kFloat64);
  const std::vector<double> values = fixtures::readDoubles(file, key).value();
  std::copy(values.begin(), values.end(), result.data_ptr<double>());
  return result;
}

bool GoldenCase::has(const std::string& key) const {
  return json.contains("tensors") && json["tensors"].contains(key);
}

double GoldenCase::absolute() const {
  return json.at("tolerance").at("abs").get<double>();
}
double GoldenCase::relative() const {
  return json.at("tolerance").at("rel").get<double>();
}

std::vector<GoldenCase> goldenCases(const std::string& area) {
  std::vector<GoldenCase> cases;
  for (const fixtures::Case& place : fixtures::cases(area))
    cases.push_back({place.name, fixtures::readJson(place.file(".json")), place.file(".safetensors")});
  return cases;
}

bool closeTo(const torch::Tensor& actual, const torch::Tensor& expected, double absolute, double relative,
             std::string* message) {
  const torch::Tensor a = actual.detach().to(torch::kFloat64).contiguous();
  const torch::Tensor b = expected.detach().to(torch::kFloat64).contiguous();
  if (a.sizes() != b.sizes()) {
    *message = "shapes differ";
    return false;
  }
  const torch::Tensor excess = (a - b).abs() - (absolute + relative * b.abs());
  const torch::Tensor good = excess.le(0) | (a == b) | (a.isnan() & b.isnan());
  if (good.all().item<bool>()) return true;
  const auto worst = excess.nan_to_num(1e300).flatten().argmax().item<std::int64_t>();
  *message = "element " + std::to_string(worst) + ": " + jsonNumber(a.flatten()[worst].item<double>()) +
             ", expected " + jsonNumber(b.flatten()[worst].item<double>());
  return false;
}

}  // namespace fathom::test
