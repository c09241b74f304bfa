// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/errors/result.h"

namespace fathom {

struct DryRunBench {
  std::vector<std::string> presets = {"sample_small", "sample_deep", "mlm_quick"};
  double updates = 60;  // of each training; a preset's own length is longer
  double seconds = 3;   // the dry run may time updates for so long
  double tolerance = 0.3;
  std::int64_t threads = 0;
};
// Compares a dry run's times of an update and of the whole with a training of the same options on
// the made data. An error where one of them is off by more than the tolerance.
Status benchDryRun(const DryRunBench& bench);

}  // namespace fathom
