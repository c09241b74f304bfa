// SPDX-License-Identifier: Apache-2.0
#include "core/record/import/foreign_run.h"

#include <set>

#include "core/base/json/json_members.h"
#include "core/base/text/shell_word.h"

namespace fathom {

std::vector<std::string> BroughtNotes::allTags() const {
  std::set<std::string> all(tags.begin(), tags.end());
  if (!group.empty()) all.insert("group:" + group);
  if (!jobType.empty()) all.insert("job:" + jobType);
  all.erase("");
  return {all.begin(), all.end()};
}

BroughtNotes broughtNotes(const Json& provenance) {
  BroughtNotes brought;
  brought.group = memberText(provenance, "group");
  brought.jobType = memberText(provenance, "job_type");
  brought.notes = memberText(provenance, "notes");
  for (const Json& tag : memberList(provenance, "tags"))
    if (tag.is_string()) brought.tags.push_back(tag.get<std::string>());
  return brought;
}

std::string runWriter(const Json& provenance) {
  const Json& writer = memberObject(provenance, "writer");
  const std::string program = memberText(writer, "program"), version = memberText(writer, "version");
  return program.empty() || version.empty() ? program : program + " " + version;
}

std::string recordedCommand(const Json& provenance, const std::string& runFolder) {
  std::string command;
  for (const Json& word : memberList(provenance, "command"))
    if (word.is_string()) command += (command.empty() ? "" : " ") + shellWord(word.get<std::string>());
  const bool goesOn = memberText(memberObject(provenance, "writer"), "program") == "fathom.py";
  if (!command.empty() && !runFolder.empty() && goesOn)
    command = "FATHOM_RUN_DIR=" + shellWord(runFolder) + " " + command;
  const std::string folder = memberText(provenance, "folder");
  return command.empty() || folder.empty() ? command : "cd " + shellWord(folder) + " && " + command;
}

std::string importOrigin(const Json& provenance) {
  const std::string from = memberText(provenance, "imported_from");
  if (!from.empty()) return memberText(provenance, "format") + " " + from;
  const std::string writer = memberText(memberObject(provenance, "writer"), "program");
  const std::string group = broughtNotes(provenance).group;
  return writer.empty() || group.empty() ? writer : writer + " " + group;
}

}  // namespace fathom
