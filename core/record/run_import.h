// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/base/stop_token.h"
#include "core/record/event_reader.h"

namespace fathom {

// Scalars of a run that another program logged. Steps and wall times are as in the source.
struct ImportedRun {
  std::string format;    // "csv", "tensorboard", "fairseq"
  double startTime = 0;  // seconds since epoch of time 0, 0 = the source has no wall times
  std::vector<ScalarSeries> series;
  std::vector<std::string> warnings;  // what was passed over, with counts and places
};

struct ImportOptions {
  std::string format = "auto";  // auto, run (folder or archive), csv, tensorboard, fairseq
  std::string name;             // of the run; "" = from the source's name
  // CSV only; "" = the first column that is called like it.
  std::string stepColumn, timeColumn;
};

struct ImportReport {
  std::string runPath;
  std::string uuid;
  std::string format;
  std::int64_t points = 0;
  std::int64_t metrics = 0;
  std::vector<std::string> warnings;
};

// Brings a run into `runsFolder` from a run folder, an archive (.tar, .tar.gz, .tar.zst), a CSV file, a
// TensorBoard event file or folder, or a fairseq log. Everything is written into a hidden folder and renamed
// at the end: on an error or a stop nothing is left behind (reliability R11). A run whose UUID is there
// already is a usage error. Memory: the scalars; files are streamed.
Result<ImportReport> importRun(const std::string& source, const std::string& runsFolder,
                               const ImportOptions& options, Progress& progress, const StopToken& stop);

// The readers behind it. A wide CSV has one row per step and one column per metric; a long one has columns
// metric and value (what `fathom curves --csv` writes). Comma, semicolon or tab.
Result<ImportedRun> readCsvRun(const std::string& path, const ImportOptions& options, const StopToken& stop);
// One event file or a folder of them (sub-folders become prefixes of the tags).
Result<ImportedRun> readTensorboardRun(const std::string& path, const StopToken& stop);
// Output of fairseq-train with --log-format json, with or without the time stamps of its logger.
Result<ImportedRun> readFairseqRun(const std::string& path, const StopToken& stop);

// Writes scalars as a finished run folder. `path` must not exist.
Status writeImportedRun(const std::string& path, const ImportedRun& run, const std::string& name,
                        const std::string& uuid, const std::string& source);

}  // namespace fathom
