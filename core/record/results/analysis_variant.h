// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/record/results/analysis_store.h"

namespace fathom {

// Which of the results of an analysis is meant where a checkpoint has several: everything of a request but
// analysis and checkpoint.
struct AnalysisVariant {
  std::string split = "validation";
  Json options = Json::object();     // of the probe
  Json runOptions = Json::object();  // of the run: on top of what was recorded
  static AnalysisVariant of(const AnalysisRequest& request);
  bool operator==(const AnalysisVariant&) const = default;
};

// "split=validation; examples=60; sample_seed=1; run_set=": what an option `computed` holds.
std::string variantText(const AnalysisVariant& variant);
// Such a text, or a part of one, as an object of texts; {} for an empty one. Usage error naming the part that
// is not key=value.
Result<Json> wantedVariant(const std::string& text);
// True if a request has everything that `wanted` names ("split", "examples", "run_set", options of the
// probe), as text or as value; what is not named may be anything. "examples" is no matter where the probe has
// no such option: recipes of format 1 name it always.
bool meetsVariant(const AnalysisRequest& request, const Json& wanted);

}  // namespace fathom
