// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command.h"
#include "core/library/queue/queue_folder.h"

namespace fathom {

// The flag "wait".
OptionField waitField();

// The end of train, resume and retry: the run is queued and a runner is there, or neither; with the flag
// "wait" the run is watched to its end and the engine's exit code becomes the command's (130 when the waiting
// was interrupted: the run goes on). JSON: {"format":1, "run":{"uuid","name","path"}, "state", "exit_code",
// "outcome"} (the last two only after waiting).
Result<CommandOutput> queueAndMaybeWait(const CommandContext& context, QueueEntry run, bool atFront,
                                        Progress& progress, const StopToken& stop);

}  // namespace fathom
