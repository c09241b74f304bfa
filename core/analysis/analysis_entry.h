// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/base/options/metric.h"
#include "core/base/options/option_field.h"
#include "core/record/runs/logged_histogram.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

// One metric of one run. Points in order of step; superseded parts of earlier attempts are not in it. The
// arrays have one length; `values` may hold NaN and infinities.
// A part of a curve that was thrown away: the run was resumed from an earlier update. Arrays of one length.
struct DroppedTail {
  std::vector<double> steps, seconds, epochs, values;  // as in RunCurve
  std::vector<double> tokens = {};
  std::vector<double> clock = {};
};

struct RunCurve {
  std::string run;    // UUID
  std::string name;   // plain text
  std::string group;  // runs that differ only in the seed have the same group; empty = a group of its own
  std::string groupTitle;  // of runs that a person groups: the name of their line; empty = from their names
  RunState outcome = RunState::Finished;  // what a person aborted counts as stopped (countedState)
  int look = -1;                // of the run (AnalysisSource::colourOf); -1: by its place among the curves
  Metric metric;                // what the values are; no id: what the program declares of them
  std::vector<double> steps;    // updates
  std::vector<double> seconds;  // since the start of the run
  std::vector<double> epochs;   // fractional where known
  std::vector<double> tokens;   // trained on; empty where nobody asks
  std::vector<double> values;
  std::vector<double> clock;         // seconds since 1970, NaN where unknown; empty where nobody asks
  std::vector<double> along;         // values of another metric that is the axis (alongMetric); else empty
  std::vector<DroppedTail> dropped;  // in the order of attempts; not in the arrays above
};

// A stored result of a probe of one checkpoint (core/record/results/analysis_store.h).
struct ProbedResult {
  std::string run;         // UUID
  std::string name;        // plain text
  std::string checkpoint;  // "0001-00000300", "init"
  Json result;
  std::string folder;  // where its array files lie, empty if it has none
  std::string group;   // as RunCurve::group
};

// State and options of a run.
struct RunFacts {
  std::string run;                           // UUID
  std::string name;                          // plain text
  RunState outcome = RunState::Finished;     // as RunCurve::outcome
  bool failed = false;                       // diverged, crashed, killed, lost: no score counts
  bool open = false;                         // queued or at work
  Json options = Json::object();             // effective ones, flat
  std::map<std::string, double> last, best;  // of each metric
};

// Source of the data of an analysis or a figure; the application implements it over the project library.
class AnalysisSource {
 public:
  virtual ~AnalysisSource() = default;
  // The chosen runs, in the order they were chosen.
  virtual std::vector<std::string> runs() const = 0;
  // Number of the run's look (core/base/numbers/series_look.h); unless the source knows better, its place
  // among the chosen ones.
  virtual int colourOf(const std::string& run) const;
  // A data error naming run and metric if the run has no such metric.
  virtual Result<RunCurve> curve(const std::string& run, const std::string& metric) = 0;
  // Options and outcome; a data error from a source that has none.
  virtual Result<RunFacts> facts(const std::string& run);
  // Number of parameters of the run's model; a data error where nothing tells it.
  virtual Result<double> parameters(const std::string& run);
  // Processes that trained the run, whoever started them; unless the source knows better, those of its
  // options.
  virtual Result<std::int64_t> ranks(const std::string& run);
  // Histograms that the run has logged by a tag, "" = by its first one; a data error that names the tags
  // it has.
  virtual Result<LoggedHistograms> histograms(const std::string& run, const std::string& tag);
  // `checkpoint`: number of updates, "<=" and a number (the newest until then), name, "init", or "" = what
  // was computed last. A data error that says how
  // to compute what is not there.
  virtual Result<ProbedResult> probed(const std::string& run, const std::string& analysis,
                                      const std::string& checkpoint);
  // The same of a result that was asked for with these options of the probe, "split", "examples" and
  // "run_set" among them (core/record/results/analysis_variant.h); what is not named may be any.
  virtual Result<ProbedResult> probedWith(const std::string& run, const std::string& analysis,
                                          const std::string& checkpoint, const Json& options);
  // Names of the checkpoints with a result, in order of updates.
  virtual std::vector<std::string> probedCheckpoints(const std::string& run, const std::string& analysis);
};

// Usage error of what needs runs where none is chosen.
Error noRunChosen(const Phrase& hint = Phrase::tr("name one or more runs"));

// One number of one layer of one state of a run, for its course over training (over_training.h).
struct LayerValue {
  std::string part;  // "encoder.self_attention"
  int layer = 0;     // 0-based
  double value = 0;
};
struct LayerNumbers {
  // From a stored result; `median` instead of mean where `ofSamples`.
  Result<std::vector<LayerValue>> (*read)(const Json& result, bool median);
  std::string quantity;  // label of an axis
  bool ofSamples = false;
  bool logarithmic = false;
};

// Definition of an analysis in analyses.list: it looks at a state of a run, and its results are stored beside
// it. core/probe/<stem>_probe.cpp computes it, where one pass over the data does.
struct AnalysisEntry {
  std::string id;  // of probe, figure and help page too
  std::string title;
  std::string reference;  // paper and section, empty if none
  // Raised whenever the results change: it goes into the hash of stored results, and older ones are computed
  // again (core/record/results/analysis_store.h).
  int version = 1;
  bool takesExamples = false;  // their number is an option ("examples")
  bool whileTraining = false;  // computed as the run goes on, by no probe
  std::optional<LayerNumbers> layers = {};
  // True if a result of an earlier version, for these options of the analysis and of the run, is one that
  // this version would compute: for changes of some results only. Null: none is.
  bool (*holds)(int version, const Json& options, const Json& runOptions) = nullptr;
};

const std::vector<AnalysisEntry>& analyses();  // generated from analyses.list
// Null for an id that is not known.
const AnalysisEntry* findAnalysisEntry(std::string_view id);
// Version and inputs by the entry of an analysis; 1, and none, for an id that is not known.
int probeVersion(std::string_view analysis);
bool probeTakesExamples(std::string_view analysis);
// True if a result of this version equals one computed now (AnalysisEntry::holds).
bool probeResultHolds(std::string_view analysis, int version, const Json& options, const Json& runOptions);

}  // namespace fathom
