// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/runs/training_grid.h"
#include "core/record/runs/run_script.h"

namespace fathom {

// A command of somebody's own that is to train a run.
struct ScriptRequest {
  std::vector<std::string> command;           // as typed: a program of PATH or a path, then its arguments
  std::string folder = {};                    // "" = the current one
  std::vector<std::string> assignments = {};  // "key=value": options, over `options`
  Json options = Json::object();
  std::string name = {}, group = {};  // "" = the script's name; none
};

// A line as a shell reads it, without anything that a shell would do: words, quotes, backslashes. Usage error
// for a quote that nobody closes.
Result<std::vector<std::string>> scriptWords(const std::string& line);
// Numbers, true and false as such, anything else as a text. Usage error for what is not key=value.
Result<Json> scriptOptions(const std::vector<std::string>& assignments);
// Name of the run where nobody gave one: that of the script, else of the program.
std::string scriptName(const ScriptRequest& request);
// The command as it will be started, judged before it is queued: its folder is there, its program is found
// (in PATH as it is now, which the queue's runner need not have) and can be executed.
Result<RunScript> checkedScript(const ScriptRequest& request);
// Queue entry of a new run.
QueueEntry scriptEntry(const std::string& project, const RunScript& script, const std::string& name,
                       const std::string& grid = {});
// A grid over the options of a command.
Result<QueuedGrid> scriptGrid(const std::string& project, const ScriptRequest& request,
                              const std::vector<GridAxis>& axes);

// The command that trains the run anew: the one that Fathom has started, or the one that another program
// recorded on this machine. Nothing where there is none.
std::optional<ScriptRequest> recordedScript(const std::string& runPath);
// True where that command goes on with the run itself, in its folder.
bool scriptGoesOn(const std::string& runPath);

}  // namespace fathom
