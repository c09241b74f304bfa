// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command.h"

namespace fathom {

// The form that stop, abort, resume, retry and delete share: a field `runs`, also as plain words.
Command runControlCommand(const char* id, const char* title, const char* description);

// {"format":1, "runs":[{"uuid","name","result"}]} and one line each.
void addRunResult(CommandOutput& output, const std::string& uuid, const std::string& name,
                  const std::string& result);

}  // namespace fathom
