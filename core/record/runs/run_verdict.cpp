// SPDX-License-Identifier: Apache-2.0
#include "core/record/runs/run_verdict.h"

namespace fathom {

RunState countedState(RunState state, std::string_view cause) {
  return cause == kAbortedCause && !isOpen(state) ? RunState::Stopped : state;
}

bool endedBadly(RunState state, std::string_view cause) {
  return isFailure(countedState(state, cause));
}

bool isDone(RunState state) {
  return state == RunState::Finished || state == RunState::Diverged || state == RunState::Ended;
}

}  // namespace fathom
