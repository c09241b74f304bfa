// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/ssh/ssh_start.h"

#include <unistd.h>

#include "core/base/files/atomic_file.h"
#include "core/base/files/one_folder.h"
#include "core/base/files/path_look.h"
#include "core/base/json/json_members.h"
#include "core/library/queue/queue_folder.h"

namespace fathom {

namespace {

std::string startsFolder(const std::string& project) {
  return QueueFolder(project).path() + "/ssh";
}

}  // namespace

Status writeSshStart(const std::string& project, const SshStart& start) {
  FATHOM_CHECK(makeOneFolder(startsFolder(project)));
  const JobRequest& request = start.request;
  const Json json = {{"format", 1},
                     {"place", start.place},
                     {"token", start.token},
                     {"attempts", start.attempts},
                     {"run", request.runPath},
                     {"uuid", request.uuid},
                     {"config", request.configPath},
                     {"messages", request.stderrPath},
                     {"nice", request.nice},
                     {"needed_bytes", request.neededBytes}};
  return writeFileAtomically(startsFolder(project) + "/" + request.uuid + ".json", json.dump(1) + "\n");
}

std::optional<SshStart> sshStartOf(const std::string& project, const std::string& place,
                                   const std::string& runPath) {
  const auto entries = entriesIn(startsFolder(project));
  if (!entries.ok()) return std::nullopt;
  for (const auto& entry : *entries) {
    const auto json = readJsonFile(entry.path().string());
    if (!json.ok() || memberText(*json, "place") != place || memberText(*json, "run") != runPath) continue;
    SshStart start;
    start.place = place;
    start.token = memberText(*json, "token");
    start.attempts = static_cast<int>(memberInteger(*json, "attempts"));
    start.request.runPath = runPath;
    start.request.uuid = memberText(*json, "uuid");
    start.request.configPath = memberText(*json, "config");
    start.request.stderrPath = memberText(*json, "messages");
    start.request.nice = static_cast<int>(memberInteger(*json, "nice", start.request.nice));
    start.request.neededBytes = memberInteger(*json, "needed_bytes");
    return start;
  }
  return std::nullopt;
}

void removeSshStart(const std::string& project, const std::string& uuid) {
  ::unlink((startsFolder(project) + "/" + uuid + ".json").c_str());
}

}  // namespace fathom
