// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDir>
#include <QString>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/record/safetensors_file.h"

// Cases of the golden fixtures, walked through index.json, so that other cases of the same format run
// unchanged.
namespace fathom::fixture {

inline QString folder() {
  const QString given = qEnvironmentVariable("FATHOM_FIXTURES");
  return given.isEmpty() ? QStringLiteral(FATHOM_SHARED_DIR) + "/fixtures" : given;
}

struct Case {
  std::string name;  // "analysis/beta_admin"
  Json json;
  std::string path;  // without extension

  // Every tensor as float64; the shape as in the file.
  std::vector<double> tensor(const std::string& key) const {
    const auto file = SafetensorsFile::open(path + ".safetensors");
    return file.value().readDoubles(key).value();
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
  const std::string root = folder().toStdString();
  const auto index = readJsonFile(root + "/index.json");
  if (!index.ok()) return cases;
  for (const Json& item : index->at("cases")) {
    if (item.at("area") != area) continue;
    Case one;
    one.name = item.at("case").get<std::string>();
    one.path = root + "/" + one.name;
    const auto json = readJsonFile(one.path + ".json");
    if (!json.ok()) continue;
    one.json = *json;
    cases.push_back(std::move(one));
  }
  return cases;
}

}  // namespace fathom::fixture
