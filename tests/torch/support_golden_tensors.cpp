// SPDX-License-Identifier: Apache-2.0
#include "tests/torch/support_golden_tensors.h"

#include <cstdlib>
#include <filesystem>

#include "core/record/safetensors_file.h"

namespace fathom::test {

torch::Tensor GoldenCase::tensor(const std::string& key) const {
  const SafetensorsFile file = SafetensorsFile::open(tensorFile).value();
  const TensorEntry* entry = file.find(key);
  if (entry == nullptr) throw Failure(dataError(name + " has no tensor '" + key + "'"));
  torch::Tensor result = torch::empty(entry->shape, torch::kFloat64);
  const std::vector<double> values = file.readDoubles(key).value();
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

std::string fixtureFolder() {
  std::string folder = FATHOM_SHARED_DIR "/fixtures";
  if (!std::filesystem::exists(folder)) folder = FATHOM_SOURCE_DIR "/tests/fixtures";
  if (const char* chosen = std::getenv("FATHOM_FIXTURES")) folder = chosen;
  if (!std::filesystem::exists(std::filesystem::path(folder) / "index.json")) folder.clear();
  return folder;
}

std::vector<GoldenCase> goldenCases(const std::string& area) {
  const std::string folder = fixtureFolder();
  std::vector<GoldenCase> cases;
  if (folder.empty()) return cases;
  const Json index = readJsonFile(folder + "/index.json").value();
  for (const Json& item : index.at("cases")) {
    if (item.at("area") != area) continue;
    GoldenCase golden;
    golden.name = item.at("case").get<std::string>();
    for (const Json& file : item.at("files")) {
      const std::string path = folder + "/" + file.get<std::string>();
      if (path.ends_with(".json")) golden.json = readJsonFile(path).value();
      if (path.ends_with(".safetensors")) golden.tensorFile = path;
    }
    cases.push_back(std::move(golden));
  }
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
