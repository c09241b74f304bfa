// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/base/errors/phrase.h"
#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/base/numbers/not_a_number.h"
#include "core/base/threads/stop_token.h"
#include "core/record/events/event_reader.h"

namespace fathom {

// A run that another program logged. Steps and wall times are as in the source.
struct ImportedRun {
  std::string format;  // id of its entry in imports.list
  std::string name;    // within the source: sub-folder or value of the run column; "" = the source's only one
  Json options = Json::object();  // what the source says it was trained with, see imported_options.h
  double startTime = 0;           // seconds since epoch of time 0, 0 = the source has no wall times
  std::vector<ScalarSeries> series;
  std::vector<Phrase> warnings;  // what was passed over, with counts and places
};

struct ImportOptions {
  std::string format = "auto";  // an id of imports.list, or auto: as it looks
  // Of the run; of several runs the first part of every name. "" = from the source.
  std::string name;
  // CSV only; "" = the first column that is called like it.
  std::string stepColumn, timeColumn, runColumn;
  // Folder of the run with a UUID that is there already, or ""; unset = every folder is looked at.
  std::function<Result<std::string>(const std::string& uuid)> folderOf;
};

// A reader gives one run after the other; it goes on only while this is ok.
using ImportSink = std::function<Status(ImportedRun run)>;

// The readers behind importRun. Memory: the scalars of one run, of a CSV file those of all.
//
// A wide CSV has one row per step and one column per metric; a long one has columns metric and value (what
// `fathom curves --csv` writes). A column run makes one run per value; columns that are no metric and stay
// the same through a run are its options. Comma, semicolon or tab.
Status readCsvRuns(const std::string& path, const ImportOptions& options, const StopToken& stop,
                   const ImportSink& take);
// One event file, or a folder with one run in each sub-folder that holds event files; hyperparameters of the
// hparams plugin are the options. Sub-folders named by a time that hold nothing but hyperparameters and final
// values, all the same, belong to the run around them (PyTorch's add_hparams).
Status readTensorboardRuns(const std::string& path, const StopToken& stop, const ImportSink& take);
// Output of fairseq-train with --log-format json, with or without the time stamps of its logger. The options
// it prints at its start are kept.
Status readFairseqRuns(const std::string& path, const StopToken& stop, const ImportSink& take);

// Points as they come, by metric; caps (docs/reliability.md §5): 10,000 metrics with names of 1,000 bytes, 20
// million points of a source. Errors name `path`.
class ImportedSeries {
 public:
  explicit ImportedSeries(std::string path) : m_path(std::move(path)) {}
  struct Axes {
    double step = 0;
    // NaN where the source does not tell.
    double time = kNaN, epoch = kNaN, tokens = kNaN;
  };
  // `superseding`: a step that was there or passed already takes the place of it and what followed, as after
  // a restart.
  Status add(const std::string& metric, const Axes& axes, double value, bool superseding);
  std::int64_t points() const { return m_points; }
  bool empty() const { return m_series.empty(); }
  bool has(const std::string& metric) const { return m_index.contains(metric); }
  std::vector<ScalarSeries> take() { return std::move(m_series); }
  // All of them, and a warning of points that were superseded.
  void giveTo(ImportedRun& run);

 private:
  std::string m_path;
  std::vector<ScalarSeries> m_series;
  std::map<std::string, std::size_t> m_index;
  std::int64_t m_points = 0, m_superseded = 0;
};
inline constexpr std::int64_t kMaxImportedPoints = 20'000'000;

// Names of files need not be UTF-8, what we write must be.
std::string plainText(std::string text);

// Brings what a reader found into the order an event log has: steps that no log can hold are dropped, steps
// go up, the last of several points at one step stays. Adds what it did to the warnings.
void settleImportedRun(ImportedRun& run);

// Writes scalars as a finished run folder. `path` must not exist. A step with more scalars than one event can
// hold goes over several lines.
Status writeImportedRun(const std::string& path, const ImportedRun& run, const std::string& name,
                        const std::string& uuid, const std::string& source);

// Where a run came from, "" when it was trained here: by the provenance of its run.json. Of a run that
// another program wrote as a run folder its name, with the group that the run says it belongs to.
std::string importOrigin(const Json& provenance);

}  // namespace fathom
