// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/launcher.h"

#include <unistd.h>

#include "core/base/errors/error_key.h"
#include "core/base/text/text_list.h"

namespace fathom {

PlaceTalk talkHere() {
  const bool terminal = ::isatty(STDIN_FILENO) != 0 && ::isatty(STDERR_FILENO) != 0;
  return {terminal ? PlaceTalk::Who::Terminal : PlaceTalk::Who::Nobody};
}

Result<const LauncherEntry*> findLauncher(const std::string& id) {
  for (const LauncherEntry& entry : launcherEntries())
    if (entry.id == id) return &entry;
  const std::string known =
      joined(launcherEntries(), ", ", [](const LauncherEntry& entry) { return entry.id; });
  return aboutKey("launcher",
                  dataError(Phrase::tr("there is no launcher '%1'")(id), Phrase::tr("there are: %1")(known)));
}

Result<std::unique_ptr<Place>> openPlace(const std::string& project, const std::string& id) {
  FATHOM_TRY(const PlaceRecord record, findPlace(project, id));
  FATHOM_TRY(const LauncherEntry* launcher, findLauncher(record.launcher));
  return launcher->open(record, project);
}

}  // namespace fathom
