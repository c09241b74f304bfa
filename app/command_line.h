// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "app/command.h"

namespace fathom {

// The commands of one program, and what its --help says above them.
struct CommandSet {
  std::string program;
  std::string opening;
  const std::vector<Command>* entries;
};
const CommandSet& fathomCommands();

// A command line that was understood.
struct ParsedCommand {
  const Command* command = nullptr;
  CommandContext context;
};

// `words` without the program's name: the command's id, then --key value, --flag and plain words in any
// order; --project DIR and --json belong to every command. A list option takes the words up to the next
// option and may be repeated. Usage errors name the nearest command or option.
Result<ParsedCommand> parseCommandLine(const std::vector<std::string>& words,
                                       const CommandSet& commands = fathomCommands());

// Text of `fathom --help` and `fathom <id> --help`.
std::string generalHelp(const CommandSet& commands = fathomCommands());
std::string commandHelp(const Command& command);

// Runs one command from the shell: output to `out`, progress, notes and errors to `err` (as JSON on `out`
// with --json). Returns the process's exit code: the command's own, 2 for a usage error, else the code of
// the error (core/record/runs/exit_code.h). `terminal`: err is a terminal, progress may redraw its line. A
// command that wants a project shown in a window afterwards leaves it in `openProject` (may be null).
int runCommandLine(const std::vector<std::string>& words, std::ostream& out, std::ostream& err, bool terminal,
                   const StopToken& stop, std::string* openProject = nullptr,
                   const CommandSet& commands = fathomCommands());

// Does this command line draw, so that a QGuiApplication is needed before runCommandLine?
bool commandLineNeedsPainter(const std::vector<std::string>& words,
                             const CommandSet& commands = fathomCommands());

}  // namespace fathom
