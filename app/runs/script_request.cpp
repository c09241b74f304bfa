// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/script_request.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "core/base/errors/error_key.h"
#include "core/base/files/hash.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json_members.h"
#include "core/base/text/text_list.h"
#include "core/record/import/foreign_run.h"
#include "core/record/runs/project_folder.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {

namespace fs = std::filesystem;

Json scriptValue(const std::string& text) {
  const auto json = parseJson(text);
  const bool plain = json.ok() && (json->is_number() || json->is_boolean());
  return plain ? *json : Json(text);
}

Json configOf(const std::string& name, const Json& options) {
  RunConfig config;
  config.name = name;
  config.options = options;
  return runConfigToJson(config);
}

bool mayExecute(const std::string& path) {
  std::error_code code;
  return fs::is_regular_file(path, code) && ::access(path.c_str(), X_OK) == 0;
}

// Absolute, with its symbolic links as they are: a Python of a virtual environment knows itself by them.
Result<std::string> findProgram(const std::string& word, const std::string& folder) {
  if (word.find('/') != std::string::npos) {
    const std::string path = (fs::path(folder) / word).lexically_normal().string();
    if (mayExecute(path)) return path;
    if (!fileExists(path))
      return aboutFile(path, unavailableError(Phrase::tr("the command's program is not there: %1")(path)));
    return aboutFile(
        path, unavailableError(Phrase::tr("the command's program cannot be executed: %1")(path),
                               Phrase::tr("chmod +x it, or name what runs it, as in: python3 %1")(word)));
  }
  const char* variable = std::getenv("PATH");
  const std::string path = variable == nullptr ? "/usr/local/bin:/usr/bin:/bin" : variable;
  for (const std::string_view place : splitAt(path, ':')) {
    const std::string found = (fs::path(absolutePath(std::string(place))) / word).string();
    if (!place.empty() && mayExecute(found)) return found;
  }
  return aboutKey("command", unavailableError(Phrase::tr("no folder of PATH has a program '%1'")(word),
                                              Phrase::tr("install it, or give its path")));
}

}  // namespace

Result<std::vector<std::string>> scriptWords(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  bool open = false;  // a word, which may be empty between quotes
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool escapes = c == '\\' && quote != '\'' && i + 1 < line.size();
    if (escapes) {
      word += line[++i];
      open = true;
    } else if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      open = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (open) words.push_back(std::exchange(word, {}));
      open = false;
    } else {
      word += c;
      open = true;
    }
  }
  if (quote != 0) return usageError(Phrase::tr("the command has a quote that nobody closes: %1")(line));
  if (open) words.push_back(std::move(word));
  return words;
}

Result<Json> scriptOptions(const std::vector<std::string>& assignments) {
  Json options = Json::object();
  for (const std::string& assignment : assignments) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0)
      return aboutKey("set", usageError(Phrase::tr("'%1' is no option of a command")(assignment),
                                        Phrase::tr("write key=value")));
    options[assignment.substr(0, equals)] = scriptValue(assignment.substr(equals + 1));
  }
  return options;
}

std::string scriptName(const ScriptRequest& request) {
  if (!request.name.empty()) return request.name;
  const fs::path folder(absolutePath(request.folder.empty() ? "." : request.folder));
  for (std::size_t i = 1; i < request.command.size(); ++i) {
    const std::string& word = request.command[i];
    if (!word.starts_with('-') && fileExists((folder / word).string()))
      return fs::path(word).filename().string();
  }
  return request.command.empty() ? std::string() : fs::path(request.command.front()).filename().string();
}

Result<RunScript> checkedScript(const ScriptRequest& request) {
  if (request.command.empty() || request.command.front().empty())
    return aboutKey("command", usageError(Phrase::tr("there is no command to run"),
                                          Phrase::tr("write it as in a shell: python3 train.py --epochs 3")));
  RunScript script;
  script.folder = absolutePath(request.folder.empty() ? "." : request.folder);
  if (!folderExists(script.folder))
    return aboutKey(
        "folder",
        aboutFile(script.folder,
                  unavailableError(Phrase::tr("the folder of the command is not there: %1")(script.folder))));
  script.command = request.command;
  FATHOM_TRY(script.command.front(), findProgram(request.command.front(), script.folder));
  script.group = request.group;
  script.options = request.options;
  FATHOM_TRY(const Json given, scriptOptions(request.assignments));
  script.options.update(given);
  return script;
}

QueueEntry scriptEntry(const std::string& project, const RunScript& script, const std::string& name,
                       const std::string& grid) {
  QueueEntry entry;
  entry.uuid = makeUuid();
  entry.runPath = ProjectFolder(project).runsPath() + "/" + entry.uuid;
  entry.config = configOf(name, script.options);
  entry.grid = grid;
  entry.script = script;
  return entry;
}

Result<QueuedGrid> scriptGrid(const std::string& project, const ScriptRequest& request,
                              const std::vector<GridAxis>& axes) {
  FATHOM_TRY(const std::vector<GridPoint> points, expandGrid(axes));
  FATHOM_TRY(const RunScript base, checkedScript(request));
  QueuedGrid grid;
  grid.record.uuid = makeUuid();
  grid.record.name = scriptName(request);
  grid.record.created = isoTimeNow();
  grid.record.base = configOf(grid.record.name, base.options);
  grid.record.axes = gridAxesToJson(axes);
  for (const GridPoint& point : points) {
    RunScript script = base;
    for (const auto& [key, value] : point.options)
      script.options[key] = value.is_string() ? scriptValue(value.get<std::string>()) : value;
    const std::string name = gridPointName(grid.record.name, axes, point);
    grid.entries.push_back(scriptEntry(project, script, name, grid.record.uuid));
    grid.record.runs.push_back(grid.entries.back().uuid);
  }
  return grid;
}

std::optional<ScriptRequest> recordedScript(const std::string& runPath) {
  const auto identity = RunFolder(runPath).identity();
  const std::string name = identity.ok() ? identity->name : std::string();
  if (const auto start = scriptStart(runPath))
    return ScriptRequest{start->script.command, start->script.folder, {}, start->script.options, name,
                         start->script.group};
  if (!identity.ok() || runWriter(identity->provenance).empty()) return std::nullopt;
  const std::string host = memberText(identity->provenance, "host");
  const auto script = runScriptFromJson(identity->provenance, runPath);
  if (!script.ok() || (!host.empty() && host != hostName())) return std::nullopt;
  return ScriptRequest{script->command, script->folder, {}, Json::object(), name, script->group};
}

bool scriptGoesOn(const std::string& runPath) {
  if (scriptStart(runPath)) return true;
  const auto identity = RunFolder(runPath).identity();
  return identity.ok() && memberText(memberObject(identity->provenance, "writer"), "program") == "fathom.py";
}

}  // namespace fathom
