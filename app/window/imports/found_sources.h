// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/window/imports/column_memory.h"
#include "core/base/threads/progress.h"
#include "core/imports/preview/source_preview.h"

namespace fathom {

// A file or folder that somebody wants to import, as it was looked at.
struct FoundSource {
  std::string path;
  std::string format = "auto", name = {}, around = {};  // as placesIn() told
  ColumnUses uses;                                      // of its columns, where a person said any
  SourcePreview preview;
  std::optional<Error> error;  // why it cannot be imported
  bool importable() const { return !error; }
};

// Looks at all of them, for some seconds at most. `said`: what a person says now of the columns of a table,
// by its path; else what is remembered of its kind. Interrupted where it is stopped. Any thread.
Result<std::vector<FoundSource>> lookAtSources(const QStringList& paths, const ColumnMemory& memory,
                                               const std::map<std::string, ColumnUses>& said,
                                               Progress& progress, const StopToken& stop);

}  // namespace fathom
