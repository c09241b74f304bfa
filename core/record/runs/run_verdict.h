// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "core/record/runs/run_folder.h"

namespace fathom {

// The cause of an outcome that a person asked for.
inline constexpr std::string_view kAbortedCause = "aborted";

// The state that counts wherever failures are counted or marked: what a person aborted has stopped, whatever
// ended its engine.
RunState countedState(RunState state, std::string_view cause);
// A failure (isFailure) that nobody asked for: diverged, failed, crashed, killed, lost.
bool endedBadly(RunState state, std::string_view cause);
// Came to the end that its training has: finished or diverged. There is a result, and nothing to do again.
bool isDone(RunState state);

}  // namespace fathom
