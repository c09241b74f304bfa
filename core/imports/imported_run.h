// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/phrase.h"
#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/base/numbers/not_a_number.h"
#include "core/base/options/metric.h"
#include "core/base/text/text_hash.h"
#include "core/base/threads/stop_token.h"
#include "core/imports/source_place.h"
#include "core/record/events/event_reader.h"
#include "core/record/events/system_stream.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

// One number of one metric. `time` is seconds since 1970, or since the start where the source knows no more;
// NaN where it does not tell, as epoch and tokens.
struct ImportedPoint {
  double step = 0, time = kNaN, epoch = kNaN, tokens = kNaN, value = 0;
  std::uint32_t metric = 0;  // place in ImportedRun::metrics
};

// What stands between the points: the run was started again (a new attempt), or what one metric ("" = every
// one) has from a step on gives way.
struct ImportedMark {
  enum class Kind { Attempt, GivesWay };
  Kind kind = Kind::Attempt;
  std::size_t before = 0;  // place in ImportedRun::points that it stands in front of
  std::string metric;
  double from = 0;
};

// How a run ended, where its source has a word for it.
struct ImportedEnd {
  RunState state = RunState::Ended;
  int exitCode = 0;
  double time = kNaN;  // seconds since 1970
};

// What is no curve and is kept beside the run, in files of JSON lines (artifacts/texts.jsonl,
// histograms.jsonl).
struct ImportedText {
  std::string tag;
  double step = 0, time = kNaN;
  std::string text;
  Json histogram;  // {"edges": [...], "counts": [...]}; null for a text
};

// What the run took of its machine at a time (seconds since 1970); names as system_stream.h has them, or the
// source's own.
struct ImportedLoad {
  double time = kNaN;
  SystemSample values;
};

// A run that another program logged, or what came to it since it was given last: then metrics and points are
// new ones, and everything else is as it is now.
struct ImportedRun {
  std::string format;  // id of its entry in imports.list
  // Within the source: sub-folder, id or value of the run column; "" = the source's only one. It tells the
  // runs of a source apart, for good.
  std::string name;
  std::string title;              // what people call it, "" = as `name`
  Json options = Json::object();  // what the source says it was trained with, see imported_options.h
  Json notes = Json::object();    // group, job_type, notes, tags: see BroughtNotes (foreign_run.h)
  std::vector<std::string> metrics;
  std::vector<ImportedPoint> points;  // as they came
  std::vector<ImportedMark> marks;    // in order of `before`
  std::set<std::string> evaluations;  // metrics that the source calls so, whatever their names tell
  Metrics declared;                   // what the source says of its metrics
  std::vector<ImportedText> texts;
  std::vector<ImportedLoad> loads;    // in order of their times, of the last attempt that they came with
  std::optional<LoadSpan> loadsAnew;  // the source was written anew: what it gave of these times comes again
  Json scores = Json::object();       // final values of the whole run, {name: number}
  std::optional<ImportedEnd> end;
  std::vector<Phrase> warnings;  // what was passed over, with counts and places
};

// What a piece tells of its run beside points, marks, texts, loads, scores and an end.
ImportedRun withoutRecords(const ImportedRun& piece);

struct ImportOptions {
  std::string format = "auto";  // an id of imports.list, or auto: as it looks
  // Of the run; of several runs the first part of every name. "" = from the source.
  std::string name;
  // CSV only; "" = the first column that is called like it.
  std::string stepColumn, timeColumn, runColumn;
  // CSV only: words for what columns are, by their names (kColumnUses in csv_columns.h), where their names
  // tell something else. A column that is not there is a data error.
  std::map<std::string, std::string> columns;
  // What ImportSource::state() said when the source was left; null = from the beginning.
  Json state;
  // More may come: nothing that looks cut off is said to be.
  bool follow = false;
  // Event files of TensorBoard in the folders of its runs are read by another source.
  bool eventsElsewhere = false;
  // Following: a folder whose later kinds are read, too, "" = none, and who finds what is in it
  // (later_kinds.h).
  std::string around;
  std::function<Result<std::vector<SourcePlace>>(const std::string& folder, const StopToken& stop)> placesIn;
  // Folder of the run with a UUID that is there already, or ""; unset = every folder is looked at.
  std::function<Result<std::string>(const std::string& uuid)> folderOf;
};

// A reader gives one run after the other; it goes on only while this is ok.
using ImportSink = std::function<Status(ImportedRun run)>;

// Points as they come; caps (docs/reliability.md §5): 200,000 metrics with names of 1,000 bytes, 20 million
// points at a time. Errors name `path`.
//
// Nothing is thrown away on a guess: a step that comes again at another time is another point. It takes the
// place of the one before only where that is plainly the same point logged twice: it comes right behind it,
// at the last step there is, and either at the same time (or at none) or in a curve that does so rarely.
class ImportedPoints {
 public:
  explicit ImportedPoints(std::string path) : m_path(std::move(path)) {}
  struct Axes {
    double step = 0;
    // NaN where the source does not tell.
    double time = kNaN, epoch = kNaN, tokens = kNaN;
  };
  Status add(std::string_view metric, const Axes& axes, double value);
  // The run was started again: a new attempt begins.
  void beginAttempt();
  // The source was written anew. A log that was only put aside goes on, another training begins early: a new
  // attempt begins with the next point, and what there is from its step on gives way then.
  void beginAnew() { m_anew = true; }
  // What `metric` ("" = every one) has from a step on gives way to what comes.
  void giveWay(const std::string& metric, double from);
  std::int64_t points() const { return m_points; }
  bool empty() const { return m_points == 0; }
  bool has(std::string_view metric) const { return m_index.contains(metric); }
  std::vector<std::string> metrics() const;  // all that it has, in the order they came
  // What a metric has so far, null when it has nothing.
  struct History {
    std::int64_t points = 0, distinct = 0, repeated = 0;
    double lastStep = -1, lastTime = kNaN, highest = -1;
  };
  const History* history(std::string_view metric) const;
  // What came since the last call, and warnings of all there was.
  void giveTo(ImportedRun& run);
  // What it needs to go on in another process, and back.
  Json state() const;
  void restore(const Json& state);

 private:
  struct Metric {
    std::string name;
    bool asItCame = false;  // the name, which was UTF-8
    History history;
    std::int64_t pending = -1;  // place of its last point in m_fresh
    std::int64_t given = -1;    // its place in the run that is given next
  };
  Result<std::size_t> place(std::string_view metric);
  void giveWayTo(double step);
  std::string m_path;
  std::vector<Metric> m_metrics;
  TextMap<std::size_t> m_index;
  std::size_t m_next = 0;  // programs log their metrics in the same order: likely place of what comes next
  std::vector<ImportedPoint> m_fresh;
  std::vector<ImportedMark> m_marks;
  bool m_anew = false;           // the next point begins an attempt
  std::int64_t m_anewMark = -1;  // place in m_marks of what gives way to it
  std::int64_t m_points = 0, m_repeated = 0, m_superseded = 0, m_strange = 0, m_badNames = 0;
};
inline constexpr std::int64_t kMaxImportedPoints = 20'000'000;
// Texts and histograms of a run that are kept, bytes of a text, and of all that a reader holds at a time.
inline constexpr std::int64_t kMaxImportedTexts = 10'000;
inline constexpr std::size_t kMaxImportedText = std::size_t{1} << 20,
                             kMaxTextsAtATime = std::size_t{256} << 20;

// Loads of one file or run of a source, as they are given.
class ImportedLoads {
 public:
  // The source was written anew: loads that were given and those that come now are told apart.
  void beginAnew() { m_anew = true; }
  void give(std::vector<ImportedLoad> loads, ImportedRun& run);
  // What it needs to go on in another process, and back.
  Json state() const;
  void restore(const Json& state);

 private:
  double m_last = kNaN;  // the latest time that was given
  bool m_anew = false;   // what is given next takes the place of what was
};

// Names of files need not be UTF-8, what we write must be.
std::string plainText(std::string text);

// The points as series, superseded ones left out: steps do not fall, times count from the first one where
// they are seconds since 1970.
std::vector<ScalarSeries> seriesOf(const ImportedRun& run);
// The time of the first point where times are seconds since 1970, else 0.
double startOf(const ImportedRun& run);

// Writes a run folder that has ended. `path` must not exist.
Status writeImportedRun(const std::string& path, const ImportedRun& run, const std::string& name,
                        const std::string& uuid, const std::string& source);

}  // namespace fathom
