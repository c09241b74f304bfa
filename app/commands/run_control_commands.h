// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command.h"
#include "app/runs/run_control.h"

namespace fathom {

// One run, several runs: `run` and `runs`.
OptionField runField();
OptionField runsField();

// The form that stop, abort, delete and restore share: a field `runs`, also as plain words.
Command runControlCommand(const char* id, const char* title, const char* description,
                          decltype(Command::run) run);

// Does it to each of `runs`.
Result<CommandOutput> withEachRun(const CommandContext& context,
                                  Result<std::string> (*act)(const std::string& project,
                                                             const ControlTarget& target));

// {"format":1, "runs":[{"uuid","name","result"}]} and one line each.
void addRunResult(CommandOutput& output, const std::string& uuid, const std::string& name,
                  const std::string& result);

}  // namespace fathom
