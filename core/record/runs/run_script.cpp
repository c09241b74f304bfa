// SPDX-License-Identifier: Apache-2.0
#include "core/record/runs/run_script.h"

#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json_members.h"

namespace fathom {

namespace {

constexpr int kScriptFormat = 1;

std::string scriptPath(const std::string& runPath) {
  return runPath + "/" + kRunScriptName;
}

Json processToJson(const ProcessIdentity& process) {
  return {{"pid", process.pid},
          {"host", process.host},
          {"boot_id", process.bootId},
          {"start_time", process.startTime}};
}

ProcessIdentity processFromJson(const Json& json) {
  return {memberInteger(json, "pid"), memberText(json, "host"), memberText(json, "boot_id"),
          memberText(json, "start_time")};
}

}  // namespace

Json runScriptToJson(const RunScript& script) {
  Json json = {{"command", script.command}, {"folder", script.folder}, {"options", script.options}};
  if (!script.group.empty()) json["group"] = script.group;
  return json;
}

Result<RunScript> runScriptFromJson(const Json& json, const std::string& file) {
  RunScript script;
  for (const Json& word : memberList(json, "command"))
    if (word.is_string()) script.command.push_back(word.get<std::string>());
  script.folder = memberText(json, "folder");
  script.group = memberText(json, "group");
  script.options = memberObject(json, "options");
  const bool whole = script.given() && script.command.size() == memberList(json, "command").size();
  if (whole && script.folder.starts_with('/')) return script;
  return dataErrorAt(file, 0, Phrase::tr("not a command in a folder: \"command\" or \"folder\" is wrong"));
}

Json scriptProvenance(const RunScript& script) {
  Json provenance = {{"writer", {{"program", "script"}}},
                     {"command", script.command},
                     {"folder", script.folder},
                     {"host", hostName()}};
  if (!script.group.empty()) provenance["group"] = script.group;
  return provenance;
}

Status keepScriptStart(const std::string& runPath, const ScriptStart& start) {
  Json json = runScriptToJson(start.script);
  json["format"] = kScriptFormat;
  json["entry"] = start.entry;
  json["attempts_before"] = start.attemptsBefore;
  if (start.process.pid > 0) json["process"] = processToJson(start.process);
  return writeFileAtomically(scriptPath(runPath), json.dump(2) + "\n");
}

std::optional<ScriptStart> scriptStart(const std::string& runPath) {
  const std::string path = scriptPath(runPath);
  if (runPath.empty() || !fileExists(path)) return std::nullopt;
  const auto json = readJsonFile(path);
  if (!json.ok()) return std::nullopt;
  auto script = runScriptFromJson(*json, path);
  if (!script.ok()) return std::nullopt;
  ScriptStart start;
  start.script = std::move(*script);
  start.entry = memberText(*json, "entry");
  start.attemptsBefore = static_cast<int>(memberInteger(*json, "attempts_before"));
  start.process = processFromJson(memberObject(*json, "process"));
  return start;
}

bool scriptRuns(const std::string& runPath) {
  const auto start = scriptStart(runPath);
  return start && start->process.pid > 0 && processLives(start->process);
}

}  // namespace fathom
