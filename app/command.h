// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/base/options/field_builder.h"
#include "core/base/options/option_field.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"

namespace fathom {

// Input of a command. Filled by the shell (command_line.h) or by the window; owned by the caller.
struct CommandContext {
  std::string project;   // project folder, empty where the command needs none
  OptionValues options;  // the command's own fields, already checked
  bool json = false;     // the caller will use CommandOutput::json; text may stay empty
  // One line for a person while the command runs (to stderr in the shell, into its dialog in the window);
  // may be empty. Called on the command's thread.
  std::function<void(const std::string&)> note;

  // Takes parts of the text as they are made, before CommandOutput::text; unset = all of it comes there.
  std::function<void(std::string_view)> write;

  void say(const std::string& line) const {
    if (note) note(line);
  }
};

// Output of a command. The shapes of `json` are written down in app/commands/README.md and stay.
struct CommandOutput {
  Json json = {{"format", 1}};
  std::string jsonText;     // instead of `json` where that is too large to be held as a value
  std::string text;         // for a terminal, with the final newline
  int exitCode = 0;         // of the shell; other than 0 only where the command's help says so
  std::string openProject;  // project that a window should show now, or ""

  // A file that was written, for `json` ("files") and `text`. Every file outside of the project is told.
  void wrote(const std::string& file);
};

// An entry of commands.list, from which `fathom <id> --key value` comes; what the window does of it, its own
// actions do, which the palette finds by its title (app/window/main/command_words.h).
// title, description, group and the texts of `fields` are translated where they are shown: the build reads
// them from `fathom commands --json` (cmake/shown_strings.py), context "Command".
struct Command {
  std::string id;           // "export-figure"; "" = the only one of its program
  std::string title;        // "Export figure"
  std::string description;  // one sentence
  std::string group;        // "Project", "Run", "Figure", "Text-to-SQL", "Tools"
  std::vector<OptionField> fields = {};
  std::vector<std::string> required = {};  // keys that must be given
  std::string positional = {};             // key of the TextList or Text field that plain words fill, or ""
  std::string further = {};  // key of the TextList field that plain words fill after the first, or ""
  std::string rest = {};     // key of the TextList field that all words behind "--" fill, as they are, or ""
  bool needsProject = true;
  bool changesData = false;
  std::string program = "fathom";        // that has it, as the shell calls it
  bool needsPainter = false;             // draws: a QGuiApplication must exist (offscreen will do)
  std::vector<std::string> writes = {};  // keys that name a file to write: its folder is looked at before
  // Runs to the end on the calling thread; never touches widgets. Errors name what to do.
  std::function<Result<CommandOutput>(const CommandContext&, Progress&, const StopToken&)> run;
};

const std::vector<Command>& commandEntries();     // generated from commands.list
const Command* findCommand(std::string_view id);  // null if unknown
// The command as the shell calls it: "fathom export-figure".
std::string commandCall(const Command& command);
// Command::run, after a look at whether what it is told to write can be written where it is told to.
Result<CommandOutput> runCommand(const Command& command, const CommandContext& context, Progress& progress,
                                 const StopToken& stop);
Json commandToJson(const Command& command);

}  // namespace fathom
