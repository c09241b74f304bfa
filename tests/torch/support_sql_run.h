// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTemporaryDir>
#include <map>
#include <string>
#include <vector>

#include "core/base/json/json.h"
#include "core/train/parts/run_parts.h"

namespace fathom::fixtures {

// Options of preset sql_sp_quick on a data set, with an encoder of two layers of width 32 that learns and
// without dropout.
Json tinySqlOptions(const Json& data);

// Task, model and objective of such a run on the made data, from the preset's initialisation.
class SqlSampleRun {
 public:
  explicit SqlSampleRun(const std::vector<std::string>& assignments = {});
  const RunParts& parts() const { return m_parts; }
  const Task& task() const { return *m_parts.task; }
  const Model& model() const { return *m_parts.model; }
  const Objective& objective() const { return *m_parts.objective; }
  DeviceBatch batch(std::int64_t index = 0) const;
  // Sum of losses of a batch; the gradients are in the model afterwards.
  double lossAndGradients(const DeviceBatch& batch) const;
  // Those gradients by name, parameters that have none left out.
  std::map<std::string, torch::Tensor> gradients() const;

 private:
  QTemporaryDir m_folder;
  RunParts m_parts;
};

}  // namespace fathom::fixtures
