// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <string>
#include <vector>

#include "app/window/imports/found_sources.h"

namespace fathom {

// What is to be imported into which project.
struct ImportOrder {
  std::string project;
  std::vector<FoundSource> sources;
  bool follow = false;
};

// What came of it.
struct ImportDone {
  QStringList runs;     // their UUIDs
  QStringList metrics;  // of all of them
  QStringList notes;    // what a person should know besides
  std::vector<FoundSource> failed;
  int followers = 0;  // sources that a program was started for, to go on reading them
};

// As `fathom import-run` does it, each source by itself: what cannot be read is told, the others come in.
// With `follow` a source is read as far as it is now, and `fathom run-queue` goes on with it. Interrupted
// where it is stopped before anything came in. Any thread.
Result<ImportDone> importSources(const ImportOrder& order, Progress& progress, const StopToken& stop);

}  // namespace fathom
