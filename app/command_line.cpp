// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line.h"

#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <ostream>
#include <sstream>
#include <utility>

#include "app/terminal_progress.h"
#include "app/text_table.h"
#include "core/base/errors/error_key.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/options/entry_table.h"
#include "core/base/text/edit_distance.h"
#include "core/base/text/shell_output.h"
#include "core/base/text/shell_word.h"
#include "core/base/text/text_list.h"
#include "core/base/text/utf8.h"
#include "core/base/threads/error_boundary.h"
#include "core/record/runs/exit_code.h"
#include "core/record/runs/project_folder.h"

namespace fathom {

namespace {

constexpr const char* kExitCodes =
    "Exit codes: 0 done, 1 internal error, 2 wrong usage (--set included), 10 stopped, 20 diverged,\n"
    "30 bad configuration or data, or something named that cannot be used (absent, in use, no such device),\n"
    "40 out of memory, 41 out of device memory, 50 disk, 75 device fault (may be tried again), 76 process of "
    "several lost (may be tried again), 128+n signal "
    "n.";

// CLI11 puts the words of each option here before they are checked.
struct RawWords {
  std::string project;
  bool json = false;
  std::map<std::string, bool> flags;
  std::map<std::string, std::vector<std::string>> words;
  std::vector<std::string> plain;
};

std::string choicesText(const OptionField& field, const char* between) {
  return joined(field.choices, between, [](const OptionChoice& choice) { return choice.id; });
}

// Many choices would push what every option means out of sight: they follow the help.
bool hasManyChoices(const OptionField& field) {
  constexpr std::size_t kWidest = 30;
  return field.type == OptionType::Choice && choicesText(field, "|").size() > kWidest;
}

// An option of "key=value" that is repeated, so that plain words after it stay plain words.
bool isAssignment(const OptionField& field) {
  return field.type == OptionType::TextList && (field.key == "set" || field.key.ends_with("-set"));
}

std::string placeholder(const OptionField& field) {
  switch (field.type) {
    case OptionType::Path:
      return "PATH";
    case OptionType::Integer:
      return "N";
    case OptionType::Real:
      return "X";
    case OptionType::Choice:
      return hasManyChoices(field) ? "ID" : choicesText(field, "|");
    case OptionType::TextList:
      return isAssignment(field) ? "KEY=VALUE" : "WORD...";
    default:
      return "TEXT";
  }
}

// " [default]", or nothing where the default says nothing.
std::string defaultText(const OptionField& field) {
  const Json& value = field.defaultValue;
  if (value.is_boolean() || value == "" || (value.is_array() && value.empty())) return {};
  return " [" + optionValueText(field, value) + "]";
}

// The row of an option, its text broken between words.
void addHelpRow(TextTable& table, std::string head, const std::string& text) {
  constexpr std::size_t kWidth = 84;
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + 1 + word.size() > kWidth) {
      table.addRow({std::exchange(head, {}), std::exchange(line, {})});
    }
    line += (line.empty() ? "" : " ") + word;
  }
  table.addRow({head, line});
}

void addField(CLI::App& app, const OptionField& field, RawWords& raw) {
  if (field.type == OptionType::Flag) {
    app.add_flag("--" + field.key, raw.flags[field.key]);
    return;
  }
  std::string names = "--" + field.key;
  for (const std::string& other : field.aliases) names += ",--" + other;
  CLI::Option* option = app.add_option(names, raw.words[field.key]);
  const bool list = field.type == OptionType::TextList && !isAssignment(field);
  option->expected(1, list ? (1 << 20) : 1);
  option->allow_extra_args(list);  // of an assignment as of a number: one word for each time it is named
  option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void describeTo(CLI::App& app, const Command& command, RawWords& raw) {
  app.allow_extras();
  if (command.needsProject) app.add_option("--project", raw.project);
  app.add_flag("--json", raw.json);
  for (const OptionField& field : command.fields) addField(app, field, raw);
}

Error unknownWord(const Command& command, const std::string& word) {
  if (word.rfind("--", 0) != 0 || word.size() == 2) {
    const auto assigns = std::find_if(command.fields.begin(), command.fields.end(), isAssignment);
    const bool assigned = assigns != command.fields.end() && word.find('=') != std::string::npos;
    return usageError("'" + word + "' is one word too many for '" + commandCall(command) + "'",
                      assigned ? "say --" + assigns->key + " before each: --" + assigns->key + " " + word
                               : "see: " + commandCall(command) + " --help");
  }
  std::vector<std::string> known = {"--json", "--help"};
  if (command.needsProject) known.push_back("--project");
  for (const OptionField& field : command.fields) known.push_back("--" + field.key);
  const std::string near = nearestSpelling(word.substr(0, word.find('=')), known);
  return aboutKey(
      word.substr(2, word.find('=') == std::string::npos ? std::string::npos : word.find('=') - 2),
      usageError("'" + commandCall(command) + "' has no option '" + word + "'",
                 near.empty() ? "see: " + commandCall(command) + " --help" : "did you mean " + near + "?"));
}

Status setField(OptionValues& values, const OptionField& field, const std::vector<std::string>& words) {
  if (field.type == OptionType::TextList) return values.set(field.key, Json(words));
  if (words.size() > 1) {
    return aboutKey(field.key,
                    usageError("--" + field.key + " is given " + std::to_string(words.size()) + " times",
                               "give it once"));
  }
  FATHOM_TRY(Json value, parseOptionText(field, words.front()));
  return values.set(field.key, value);
}

Status takePlainWords(const Command& command, RawWords& raw) {
  if (raw.plain.empty()) return {};
  for (const std::string& word : raw.plain) {
    if (word.size() > 1 && word[0] == '-') return unknownWord(command, word);
  }
  if (command.positional.empty()) return unknownWord(command, raw.plain.front());
  auto& words = raw.words[command.positional];
  words.insert(words.begin(), raw.plain.begin(), raw.plain.end());
  if (command.further.empty() || words.size() < 2) return {};
  auto& rest = raw.words[command.further];
  rest.insert(rest.begin(), words.begin() + 1, words.end());
  words.resize(1);
  return {};
}

Status checkRequired(const Command& command, const RawWords& raw) {
  for (const std::string& key : command.required) {
    const auto found = raw.words.find(key);
    if (found != raw.words.end() && !found->second.empty()) continue;
    return aboutKey(key, usageError("'" + commandCall(command) + "' needs --" + key +
                                        (key == command.positional ? " or plain words" : ""),
                                    "see: " + commandCall(command) + " --help"));
  }
  if (command.needsProject && raw.project.empty()) {
    return usageError("'" + commandCall(command) + "' needs --project DIR",
                      "make one with: fathom new-project --out DIR");
  }
  return {};
}

// Text of ours is UTF-8: another path could be named in no message, file or window.
Status checkWords(const std::vector<std::string>& words) {
  for (const std::string& word : words)
    if (!validUtf8(word))
      return usageError("'" + word + "' is not UTF-8",
                        "rename that file or folder, or set the terminal to UTF-8");
  return {};
}

// The same of the folder that a relative path begins in.
Status checkPath(const std::string& path) {
  const std::string whole = absolutePath(path);
  if (path.empty() || validUtf8(whole)) return {};
  return usageError("'" + whole + "' is not UTF-8", "rename that folder, or work in another one");
}

Error unknownCommand(const CommandSet& commands, const std::string& id) {
  std::vector<std::string> ids;
  for (const Command& command : *commands.entries) ids.push_back(command.id);
  const std::string near = nearestSpelling(id, ids);
  const bool path = id.find('/') != std::string::npos || id.ends_with(".fathom");
  if (const auto there = isThere(ProjectFolder(id).libraryPath()); path && !there.ok()) return there.error();
  if (near.empty() && path)
    return usageError("'" + id + "' is neither a command nor a project",
                      "make one with: fathom new-project --out " + shellWord(id));
  return usageError("there is no command '" + id + "'",
                    near.empty() ? "see: " + commands.program + " --help"
                                 : "did you mean '" + commands.program + " " + near + "'?");
}

// Behind "--" is a command of somebody's own, whose words say nothing to us.
std::vector<std::string> wordsOfOurs(const std::vector<std::string>& words) {
  return {words.begin(), std::find(words.begin(), words.end(), "--")};
}

bool asksForHelp(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word == "--help" || word == "-h") return true;
  }
  return false;
}

bool asksForJson(const std::vector<std::string>& words) {
  return std::find(words.begin(), words.end(), "--json") != words.end();
}

void writeError(const std::string& program, const Error& error, bool json, std::ostream& out,
                std::ostream& err) {
  if (!json) {
    err << program << ": " << terminalText(error.text()) << "\n";
    return;
  }
  Json body;
  body["format"] = 1;
  body["error"] = {{"kind", errorKindName(error.kind)},
                   {"message", error.message},
                   {"hint", error.hint},
                   {"file", error.file},
                   {"line", error.line},
                   {"key", error.key}};
  out << body.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
}

int runParsed(const ParsedCommand& parsed, std::ostream& out, std::ostream& err, bool terminal,
              const StopToken& stop, std::string* openProject) {
  TerminalProgress display(err, terminal, [] { return terminalShape(STDERR_FILENO); });
  CommandContext context = parsed.context;
  context.note = [&display](const std::string& line) { display.note(line); };
  context.write = [&out](std::string_view text) { out << text; };
  Progress progress([&display](const ProgressUpdate& update) { display.show(update); });
  const auto result =
      resultOrError<CommandOutput>([&] { return runCommand(*parsed.command, context, progress, stop); });
  display.clear();
  if (!result) {
    writeError(parsed.command->program, result.error(), context.json, out, err);
    return static_cast<int>(exitCodeFor(result.error()));
  }
  if (context.json) {
    out << (result->jsonText.empty() ? result->json.dump(2, ' ', false, Json::error_handler_t::replace)
                                     : result->jsonText)
        << "\n";
  } else {
    out << result->text;
  }
  out.flush();
  if (openProject && out) *openProject = result->openProject;
  return result->exitCode;
}

int runWords(const CommandSet& commands, const std::vector<std::string>& words, std::ostream& out,
             std::ostream& err, bool terminal, const StopToken& stop, std::string* openProject) {
  if (words.empty() || words.front() == "--help" || words.front() == "-h" || words.front() == "help") {
    out << generalHelp(commands);
    return 0;
  }
  if (words.front() == "--version") {
    out << commands.program << " " << FATHOM_VERSION << "\n";
    return 0;
  }
  const Command* command = findEntry(*commands.entries, words.front());
  if (command && asksForHelp(command->rest.empty() ? words : wordsOfOurs(words))) {
    out << commandHelp(*command);
    return 0;
  }
  const auto parsed = parseCommandLine(words, commands);
  if (!parsed) {
    writeError(commands.program, parsed.error(), asksForJson(wordsOfOurs(words)), out, err);
    // A project that cannot be looked at is no wrong word.
    const bool unusable = parsed.error().kind == ErrorKind::Resource;
    return static_cast<int>(unusable ? exitCodeFor(parsed.error()) : ExitCode::Usage);
  }
  return runParsed(*parsed, out, err, terminal, stop, openProject);
}

}  // namespace

const CommandSet& fathomCommands() {
  static const CommandSet commands{"fathom",
                                   "Fathom: Transformer experiments, watched, compared and drawn.\n\n"
                                   "  fathom                        opens the window\n"
                                   "  fathom <command> [options]    runs one command\n"
                                   "  fathom <command> --help       tells its options\n\nCommands:\n",
                                   &commandEntries()};
  return commands;
}

std::string generalHelp(const CommandSet& commands) {
  std::string text = commands.opening;
  std::size_t width = 0;
  for (const Command& command : *commands.entries) width = std::max(width, command.id.size());
  for (const Command& command : *commands.entries) {
    text += "  " + command.id + std::string(width - command.id.size() + 2, ' ') + command.description + "\n";
  }
  return text + "\nEvery command takes --json. " + kExitCodes + "\n";
}

std::string commandHelp(const Command& command) {
  std::string text = "Usage: " + commandCall(command);
  if (command.needsProject) text += " --project DIR";
  if (!command.positional.empty()) text += " [" + command.positional + "...]";
  text += " [options]";
  if (!command.rest.empty()) text += " [-- " + command.rest + "...]";
  text += "\n\n" + command.description + "\n\n";
  TextTable table({"option", "what it means"});
  if (command.needsProject) addHelpRow(table, "--project DIR", "project folder (needed)");
  for (const OptionField& field : command.fields) {
    const bool needed =
        std::find(command.required.begin(), command.required.end(), field.key) != command.required.end();
    const std::string word = field.type == OptionType::Flag ? "" : " " + placeholder(field);
    const std::string choices = hasManyChoices(field) ? " One of: " + choicesText(field, ", ") + "." : "";
    addHelpRow(table, "--" + field.key + word,
               field.help + choices + defaultText(field) + (needed ? " (needed)" : ""));
  }
  addHelpRow(table, "--json", "write the result as JSON");
  return text + table.text() + "\n" + kExitCodes + "\n";
}

Result<ParsedCommand> parseCommandLine(const std::vector<std::string>& words, const CommandSet& commands) {
  if (words.empty()) return usageError("no command given", "see: " + commands.program + " --help");
  FATHOM_CHECK(checkWords(words));
  const Command* command = findEntry(*commands.entries, words.front());
  if (!command) return unknownCommand(commands, words.front());
  RawWords raw;
  CLI::App app;
  describeTo(app, *command, raw);
  const std::vector<std::string> ours = command->rest.empty() ? words : wordsOfOurs(words);
  std::vector<std::string> rest(ours.rbegin(), ours.rend() - 1);
  try {
    app.parse(rest);
  } catch (const CLI::ParseError& e) {
    return usageError(e.what(), "see: " + commandCall(*command) + " --help");
  }
  raw.plain = app.remaining();
  FATHOM_CHECK(takePlainWords(*command, raw));
  if (ours.size() + 1 < words.size()) {
    auto& behind = raw.words[command->rest];
    behind.insert(behind.end(), words.begin() + static_cast<std::ptrdiff_t>(ours.size()) + 1, words.end());
  }
  FATHOM_CHECK(checkRequired(*command, raw));
  ParsedCommand parsed;
  parsed.command = command;
  parsed.context.options = OptionValues(OptionSchema(command->fields, {}));
  for (const OptionField& field : command->fields) {
    if (field.type == OptionType::Flag) {
      FATHOM_CHECK(parsed.context.options.set(field.key, raw.flags[field.key]));
    } else if (!raw.words[field.key].empty()) {
      FATHOM_CHECK(setField(parsed.context.options, field, raw.words[field.key]));
    }
  }
  FATHOM_CHECK(checkPath(raw.project));
  for (const OptionField& field : command->fields)
    if (field.type == OptionType::Path) FATHOM_CHECK(checkPath(parsed.context.options.text(field.key)));
  if (!raw.project.empty()) parsed.context.project = absolutePath(raw.project);
  parsed.context.json = raw.json;
  return parsed;
}

int runCommandLine(const std::vector<std::string>& words, std::ostream& out, std::ostream& err, bool terminal,
                   const StopToken& stop, std::string* openProject, const CommandSet& commands) {
  const int code = runWords(commands, words, out, err, terminal, stop, openProject);
  out.flush();
  if (out) return code;
  // A reader that has enough (| head) is no fault, but 0 would say that all has arrived.
  if (outputReaderHasGone()) return code == 0 ? kReaderGoneCode : code;
  err << commands.program << ": the output could not be written (is the disk full?)\n";
  return code == 0 ? static_cast<int>(ExitCode::Disk) : code;
}

bool commandLineNeedsPainter(const std::vector<std::string>& words, const CommandSet& commands) {
  const Command* command = words.empty() ? nullptr : findEntry(*commands.entries, words.front());
  return command && command->needsPainter && !asksForHelp(words);
}

}  // namespace fathom
