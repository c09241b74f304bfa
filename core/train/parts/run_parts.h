// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "core/init/initialisation.h"
#include "core/objectives/objective.h"
#include "core/record/runs/shared_cache.h"
#include "core/tasks/task.h"

namespace fathom {

// Task, model and objective as the options name them. Whoever trains, evaluates or predicts starts here; the
// only place that looks entries up by id.
struct RunParts {
  const TaskEntry* entry = nullptr;  // of the task
  std::shared_ptr<Task> task;        // may serve several models
  std::unique_ptr<Model> model;      // parameters at their declared constants until initialised or loaded
  std::unique_ptr<Objective> objective;
  torch::Device device = torch::kCPU;
};

struct RunPartsRequest {
  TaskSetup setup;
  std::string device = "auto";
  // When the data are read, before anything of the model is made; may be empty.
  std::function<Status(const Task& task, const torch::Device& device)> beforeBuilding = {};
};

// Number format and place of a model's tensors.
torch::TensorOptions modelTensors(const OptionValues& options, const torch::Device& device);

// Reads the data, builds the model on the device. Errors name option, file and line. Setup's stop ends the
// building, too.
Result<RunParts> makeRunParts(const OptionValues& options, const RunPartsRequest& request);
// Another model on data that are open already: only options of model and initialisation may differ.
Result<RunParts> makeRunParts(const OptionValues& options, std::shared_ptr<Task> task, torch::Device device);

// Another objective of parts that are there: only options of decoding may differ.
std::unique_ptr<Objective> makeObjective(const OptionValues& options, const Task& task);

// Values from the chosen initialisation, and the objective is prepared; profile passes run on the first
// training batches. Returns its report, with "measured_on" {"part", "examples", "of", "batches",
// "of_batches", "seed"} where such a pass was made; `rows` false leaves out what every parameter measures
// (initRows), which takes as long as the filling. `mostExamples`: about so many are enough for a pass over
// all training batches (DT-Fixup's µ) unless what a frozen encoder gives is at hand; the first ones of a
// seeded order. 0 = all.
Result<Json> initialiseParts(RunParts& parts, const OptionValues& options, bool rows = true,
                             const PrepareRequest& prepare = {}, std::int64_t mostExamples = 0);

// Artifacts of a task (TaskSetup::artifacts) live in <run>/artifacts.
Status writeArtifacts(const std::string& runPath, const std::map<std::string, std::string>& artifacts);
Result<std::map<std::string, std::string>> readArtifacts(const std::string& runPath);

}  // namespace fathom
