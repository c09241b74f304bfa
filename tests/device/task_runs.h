// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/record/runs/run_config.h"

namespace fathom::device_checks {

// A task with generated data, in a small model.
struct CheckedTask {
  const char* id;
  const char* preset;
  Json options;
};
const std::vector<CheckedTask>& checkedTasks();

// Every number that a run logged, without what depends on the clock; seconds of the last updates.
struct TaskNumbers {
  std::vector<std::pair<std::string, double>> logged;
  std::vector<double> rates;  // target tokens a second, of each update
  std::int64_t graphs = 0;    // updates that were launched as graphs
};
TaskNumbers loggedNumbers(const std::string& run);
// A run of four updates in float64 without dropout on a device; `more` options go last.
Result<RunConfig> trainingOf(const CheckedTask& task, const Json& data, const std::string& device,
                             const Json& more);
Result<TaskNumbers> trained(const CheckedTask& task, const Json& data, const std::string& device,
                            const std::string& run, const Json& more = Json::object());

}  // namespace fathom::device_checks
