// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/errors/phrase.h"
#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/imports/imported_run.h"

namespace fathom {

// One run that is now in the project.
struct RunImport {
  std::string runPath;
  std::string uuid;
  std::string name;
  Json options = Json::object();  // what the source brought; empty for a run of our own
  std::int64_t points = 0;
  std::vector<std::string> metrics;
  std::vector<Phrase> warnings;
};

struct ImportReport {
  std::string format;
  std::vector<RunImport> runs;  // at least one
};

// Brings what is in `source` into `runsFolder`: a run folder, an archive of one (.tar, .tar.gz, .tar.zst), or
// anything that an entry of imports.list claims. A source of several runs gives one run for each. Everything
// is written into a hidden folder and renamed at the end: on an error or a stop none of them is left behind
// (docs/project_files.md §9). A run whose UUID is there already is a usage error. Files are streamed; memory:
// see imported_run.h.
Result<ImportReport> importRuns(const std::string& source, const std::string& runsFolder,
                                const ImportOptions& options, Progress& progress, const StopToken& stop);

}  // namespace fathom
