// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/files/process_identity.h"
#include "core/base/json/json.h"

namespace fathom {

// File of a run's folder that says which command trains the run.
inline constexpr const char* kRunScriptName = "script.json";

// A program of somebody else's that trains a run in an engine's stead; what its environment tells it is in
// resources/help/run_folder.md.
struct RunScript {
  std::vector<std::string> command = {};  // the program's absolute path, then its arguments; empty = none
  std::string folder = {};                // absolute, where it is started
  std::string group = {};                 // FATHOM_GROUP, or ""
  Json options = Json::object();          // FATHOM_OPTIONS
  bool given() const { return !command.empty(); }
};
Json runScriptToJson(const RunScript& script);
// Data error about `file` where it is no command in a folder.
Result<RunScript> runScriptFromJson(const Json& json, const std::string& file);
// Provenance of a run whose program writes none itself: the command and where it was started.
Json scriptProvenance(const RunScript& script);

// A start of a command, kept in the folder of its run.
struct ScriptStart {
  RunScript script = {};
  std::string entry = {};        // QueueEntry::created of the entry that it was started for
  int attemptsBefore = 0;        // of the run, when it was started
  ProcessIdentity process = {};  // pid 0 = it is about to start
};
Status keepScriptStart(const std::string& runPath, const ScriptStart& start);
// The last one; nothing where there is none, or where it cannot be read.
std::optional<ScriptStart> scriptStart(const std::string& runPath);
// True while the process of the last one lives on this machine.
bool scriptRuns(const std::string& runPath);

}  // namespace fathom
