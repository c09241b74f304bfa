// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/command.h"
#include "core/library/queue_folder.h"

namespace fathom {

// The end of train, resume and retry: a runner is there; with `wait` the run is watched to its end and the
// engine's exit code becomes the command's (130 when the waiting was interrupted: the run goes on).
// JSON: {"format":1, "run":{"uuid","name","path"}, "state", "exit_code", "outcome"} (the last two only after
// waiting).
Result<CommandOutput> startAndMaybeWait(const CommandContext& context, const QueueEntry& entry, bool wait,
                                        Progress& progress, const StopToken& stop);

}  // namespace fathom
