// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/launcher.h"

#include "core/base/text/text_list.h"

namespace fathom {

Result<std::unique_ptr<Place>> openPlace(std::string_view id) {
  for (const LauncherEntry& entry : launcherEntries())
    if (entry.id == id) return entry.open();
  const std::string known =
      joined(launcherEntries(), ", ", [](const LauncherEntry& entry) { return entry.id; });
  return unavailableError(Phrase::tr("this program cannot start runs at the place '%1'")(std::string(id)),
                          Phrase::tr("there are: %1")(known));
}

}  // namespace fathom
