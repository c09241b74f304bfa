// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "app/runner/child_process.h"
#include "core/base/json/json.h"

namespace fathom {

// Helpers of the benches of this program that start other processes: peers, or ourselves.

// A child that prints one JSON object, from its start to its end.
struct TimedRun {
  double milliseconds = 0;
  Json json;
};
// Data error with the child's words when it fails; `who` names it.
Result<TimedRun> timedRun(const ChildSpec& spec, const char* who, const StopToken& stop);

}  // namespace fathom
