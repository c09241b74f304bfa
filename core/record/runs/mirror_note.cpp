// SPDX-License-Identifier: Apache-2.0
#include "core/record/runs/mirror_note.h"

#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json_members.h"

namespace fathom {

std::optional<MirrorNote> mirrorNote(const std::string& runPath) {
  const std::string file = runPath + "/" + kMirrorNoteName;
  if (!fileExists(file)) return std::nullopt;
  const auto json = readJsonFile(file);
  if (!json.ok() || !json->is_object()) return std::nullopt;
  return MirrorNote{memberText(*json, "place"), memberText(*json, "host"), memberText(*json, "path"),
                    memberFlag(*json, "running", false)};
}

Status writeMirrorNote(const std::string& runPath, const MirrorNote& note) {
  const Json json = {{"format", 1},
                     {"place", note.place},
                     {"host", note.host},
                     {"path", note.path},
                     {"running", note.running}};
  return writeFileAtomically(runPath + "/" + kMirrorNoteName, json.dump() + "\n");
}

}  // namespace fathom
