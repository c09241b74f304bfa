// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/json.h"
#include "core/base/result.h"

namespace fathom {

// Generated data of a task, for whoever has none and wants to see a model at work: a few thousand sentences,
// a vocabulary of `pieces` trained on them.
struct TaskSample {
  Json options;  // key: value, of every option that says what is read and how
  int pieces = 300;
};

// Writes the files into `folder`, which is there. Usage error naming data.train for a task that has no
// sample.
Result<TaskSample> writeTaskSample(const std::string& task, const std::string& folder);

}  // namespace fathom
