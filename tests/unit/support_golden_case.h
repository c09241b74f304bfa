// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/json/json.h"
#include "core/record/formats/safetensors_file.h"
#include "tests/unit/support_fixtures.h"
#include "tests/unit/support_tensor_values.h"

// Cases of the golden fixtures, walked through index.json, so that other cases of the same format run
// unchanged.
namespace fathom::golden {

struct Case {
  std::string name;  // "analysis/beta_admin"
  Json json;
  std::string path;  // without extension

  // Every tensor as float64; the shape as in the file.
  std::vector<double> tensor(const std::string& key) const {
    fixtures::noteRead(path + ".safetensors", key);
    const auto file = SafetensorsFile::open(path + ".safetensors");
    return fixtures::readDoubles(file.value(), key).value();
  }
  std::vector<std::int64_t> shape(const std::string& key) const {
    const auto file = SafetensorsFile::open(path + ".safetensors");
    const TensorEntry* entry = file.value().find(key);
    return entry == nullptr ? std::vector<std::int64_t>{} : entry->shape;
  }
  bool has(const std::string& key) const { return json.contains("tensors") && json["tensors"].contains(key); }

  // "" when |a-b| <= abs + rel*|b| everywhere (NaN equals NaN), else where not.
  std::string differs(const std::vector<double>& actual, const std::string& key) const {
    const std::vector<double> expected = tensor(key);
    if (actual.size() != expected.size()) {
      return name + " " + key + ": " + std::to_string(actual.size()) + " values, expected " +
             std::to_string(expected.size());
    }
    const double abs = json.at("tolerance").at("abs"), rel = json.at("tolerance").at("rel");
    for (std::size_t i = 0; i < actual.size(); ++i) {
      if (std::isnan(actual[i]) && std::isnan(expected[i])) continue;
      if (!(std::abs(actual[i] - expected[i]) <= abs + rel * std::abs(expected[i]))) {
        return name + " " + key + "[" + std::to_string(i) + "]: " + std::to_string(actual[i]) +
               ", expected " + std::to_string(expected[i]);
      }
    }
    return {};
  }
};

// All cases of an area; empty where the fixtures are absent.
inline std::vector<Case> casesOf(const std::string& area) {
  std::vector<Case> cases;
  for (const fixtures::Case& item : fixtures::cases(area)) {
    const std::string json = item.file(".json");
    if (json.empty()) continue;
    cases.push_back({item.name, fixtures::readJson(json), json.substr(0, json.size() - 5)});
  }
  return cases;
}

}  // namespace fathom::golden
