// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json/json.h"
#include "core/base/options/metric.h"

namespace fathom {

// Labels and predictions of the same examples, in the same order: classes, or numbers.
struct GlueAnswers {
  std::vector<std::string> classes;           // their names; empty: numbers
  std::vector<std::int64_t> predicted, gold;  // classes
  std::vector<double> values, labels;         // numbers
};

struct GlueValue {
  double fraction = 0;  // of 1
  Json details = Json::object();
};

// A metric of GLUE, told once: its score, its scalar while training, its column in a table of results. A new
// one is an entry here, and a word in the rule (glue_rules.cpp) of a task whose benchmark asks for it.
struct GlueMetric {
  std::string id, title, suffix;  // "f1"; "F1 (%)" of a score, times 100; "F1" in a table of results
  bool ofNumbers = false;
  // std::nullopt: not defined for these.
  std::optional<GlueValue> (*of)(const GlueAnswers& answers) = nullptr;
  Metric scalar;  // id "valid.f1"
};
// In the order in which they are shown; those of classes first.
const std::vector<GlueMetric>& glueMetricTable();
const GlueMetric& glueMetric(const std::string& id);
// Of a table of one's own; the first one chooses checkpoints.
std::vector<std::string> glueMetricIds(bool ofNumbers);

}  // namespace fathom
