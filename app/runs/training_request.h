// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/runner/engine_description.h"
#include "core/library/queue/queue_folder.h"
#include "core/record/runs/run_config.h"

namespace fathom {

// A training that somebody asks for: defaults < preset < configuration file < data set < assignments.
struct TrainingRequest {
  std::string preset;      // id, or ""
  std::string configFile;  // config.json, or ""
  // A data set (core/tasks/data_set.h): its files, over the configuration file; it chooses the preset where
  // nothing else was named. "" = none.
  std::string data;
  std::vector<std::string> assignments;  // "key=value"
  std::string name;                      // "" = made from the preset
  // Project folder for the generated data of a sample preset without a training file; "" = none is made.
  std::string project;
  bool elsewhere = false;  // another machine trains: this one's devices do not count
  bool needsData = true;   // false: files may stay unnamed (core/base/options/named_files.h)
};

// The effective configuration, judged by the engine's own rules before anything is queued. Relative paths
// become absolute (against the current folder). Errors name key, value and what is allowed: unknown options,
// forbidden combinations, files that are not there, a device this machine has not got.
Result<RunConfig> trainingConfig(const EngineDescription& engine, const TrainingRequest& request);

// Checks values alone, as trainingConfig does at its end.
Status checkTrainingValues(const EngineDescription& engine, const OptionValues& values,
                           bool elsewhere = false);

// Files that are named, used, and not there.
struct MissingFile {
  std::string key, path;
};
std::vector<MissingFile> missingFiles(const OptionValues& values);

// Queue entry of a new run; queue_start.h puts it into the queue.
QueueEntry trainingEntry(const std::string& project, const RunConfig& config, const std::string& grid = {});

}  // namespace fathom
