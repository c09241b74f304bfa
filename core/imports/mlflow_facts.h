// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/base/json/json.h"
#include "core/base/numbers/not_a_number.h"

namespace fathom {

// MLflow's words for a run; in its files they are the numbers 1 to 5.
enum class MlflowStatus { Unknown, Running, Scheduled, Finished, Failed, Killed };
MlflowStatus mlflowStatus(const std::string& word);

// All that MLflow says of a run beside its points.
struct MlflowFacts {
  std::string name, experiment;
  MlflowStatus status = MlflowStatus::Unknown;
  double end = kNaN;  // seconds since 1970
  bool deleted = false;
  std::map<std::string, std::string> params, tags;
  bool operator==(const MlflowFacts& other) const;
  Json state() const;
  void restore(const Json& state);
};

}  // namespace fathom
