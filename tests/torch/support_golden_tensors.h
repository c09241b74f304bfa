// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <string>
#include <vector>

#include "core/base/json/json.h"

namespace fathom::test {

// One case of the golden fixtures (tests/unit/support_fixtures.h): its JSON and, on demand, its float64
// tensors. Throws Failure for unreadable files.
struct GoldenCase {
  std::string name;
  Json json;
  std::string tensorFile;                              // "" without arrays
  torch::Tensor tensor(const std::string& key) const;  // float64
  bool has(const std::string& key) const;
  double absolute() const;
  double relative() const;
};

std::vector<GoldenCase> goldenCases(const std::string& area);
// True when |a - b| <= absolute + relative |b| everywhere; NaN equals NaN. `message` names the worst element.
bool closeTo(const torch::Tensor& actual, const torch::Tensor& expected, double absolute, double relative,
             std::string* message);

}  // namespace fathom::test
