// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/record/runs/exit_code.h"
#include "core/record/runs/run_config.h"

namespace fathom {

// The engine's command line. Returns the exit code (core/record/runs/exit_code.h); errors go to stderr.
int runEngine(int argc, char** argv);

// A verb's options as the command line gave them.
struct TrainVerb {
  std::string config, run, uuid;
  std::vector<std::string> assignments;
  bool eventsToStdout = false;
  bool orResume = false;  // goes on with a run that the folder holds
  std::string dump;       // "", "minimal" or "effective": print the configuration and leave
};
struct ResumeVerb {
  std::string run, checkpoint;
  bool eventsToStdout = false;
};
// `keep`: where the prediction set goes instead of the run's predictions/; `noSet`: none is stored.
// `submission`: a new folder for the files that the task's benchmark takes.
struct EvaluateVerb {
  std::string run, checkpoint, split = "validation", keep, submission;
  bool noSet = false;
  std::vector<std::string> assignments;
};
struct PredictVerb {
  std::string run, checkpoint, input, output;
  bool noSet = false;
  std::vector<std::string> assignments;
};
// Keeps the model of a run and answers on a local socket (docs/serving.md) until nobody has asked for
// `idleSeconds`, a client or a signal ends it. `socket`: "" = the one of run and checkpoint
// (core/serve/serve_protocol.h).
struct ServeVerb {
  std::string run, checkpoint, socket;
  std::int64_t idleSeconds = 900;
  std::vector<std::string> assignments;
};
struct AverageVerb {
  std::string run, out;
  std::int64_t last = 10, upperUpdate = -1;
  bool epochEnds = false;
};

struct ImportEncoderVerb {
  std::string from, out;  // a Hugging Face folder, a new folder
  bool json = false;      // nothing in words beside it
};
// `head`, `tokenizer`: "keep", or "none": it is left out.
struct ExportEncoderVerb {
  std::string run, checkpoint, out, head = "keep", tokenizer = "keep";
};

struct SampleVerb {
  std::string out, task;  // task: empty = the first one
  std::string kind;       // made data that are no task's sample; empty = a task's
  std::uint64_t seed = 1;
};

// Report on an initialisation, tensor by tensor: of a configuration, or of a run as recorded. Without
// training data the model alone is filled, with a joined vocabulary of `vocabulary` pieces.
struct InitReportVerb {
  std::string config, preset, run;
  std::vector<std::string> assignments;
  std::int64_t vocabulary = 0;  // as DescribeVerb's
  // A pass over the training data looks at about so many examples (0 = all), and at all where the states of a
  // frozen encoder lie in `cache`, a folder that runs share.
  std::int64_t examples = 256;
  std::string cache;
  bool json = false;
  bool progressLines = false;  // as ProbeVerb's; the report is then the last line
};

// Extra layers on features that another program computed: `features` is a safetensors file with a tensor
// [rows, length, width] for each part (joined in the order of their names), "padding" [rows, length] (not 0 =
// pad) and, for relation-aware layers, "relations" [rows, length, length]. What the initialisation measures
// (DT-Fixup's mu, Admin's omega) it measures on them. `weights`: an earlier weights.safetensors instead.
struct ExtraLayersVerb {
  std::string config, features, weights, out;
  std::vector<std::string> assignments;
};

// An analysis of a checkpoint, or of several with the data prepared once (core/probe), stored in the run's
// analyses/ or under `out`. `checkpoint`: see checkpointWords (core/record/runs/checkpoint_choice.h).
struct ProbeVerb {
  std::string run, checkpoint, analysis, out, split;  // split: empty = the analysis' own
  std::vector<std::string> assignments;               // of the probe
  std::vector<std::string> runAssignments;            // on top of the run's options
  // {"phase","unit","done","total","remaining"} on stdout; what fails ends with {"error","error_phrase"}
  bool progressLines = false;
};

// Forecast whether a configuration will learn, from its model at the initial weights (core/analysis/training/
// trainability.h), in seconds. A task without data looks at its made data (TaskEntry::madeData).
struct TrainabilityVerb {
  std::string config;
  std::vector<std::string> assignments;
  bool json = false;
  bool progressLines = false;  // as ProbeVerb's; the result is then the last line
};

// Estimate of memory, time and disk of a run, against what there is (core/train/dry). Nothing is made that
// would not fit. `grid`: a JSON file [{"name", "options"}, …], options on top of the configuration's.
struct EstimateVerb {
  std::string config, grid, disk;  // disk: a folder on the disk of the run
  std::vector<std::string> assignments;
  double seconds = 3;                               // updates of the model itself are timed for so long
  std::int64_t dataBytes = std::int64_t{64} << 20;  // larger data are not read
  double bandwidth = 0, latency = 0;  // between ranks: bytes a second (0: it is measured here), seconds
  bool check = false;                 // only whether it fits: measures no more than that takes, reads no data
  bool json = false, progressLines = false;
};
// Times an all-reduce between ranks: those that another program has started, else `ranks` of this machine.
struct AllReduceVerb {
  std::int64_t ranks = 2;
  std::string interface;
  bool json = false;
};

ExitCode trainVerb(const TrainVerb& verb);
ExitCode resumeVerb(const ResumeVerb& verb);
ExitCode evaluateVerb(const EvaluateVerb& verb);
ExitCode predictVerb(const PredictVerb& verb);
// Prints {"format":1,"state":"loading","socket",...} and, once it is loaded, {"state":"ready",...}.
ExitCode serveVerb(const ServeVerb& verb);
ExitCode averageVerb(const AverageVerb& verb);
ExitCode sampleVerb(const SampleVerb& verb);
std::vector<std::string> madeDataKinds();  // of SampleVerb
ExitCode importEncoderVerb(const ImportEncoderVerb& verb);
// Prints {"format":1,"path","checkpoint","tensors","architecture","head","tokenizer","notes"}.
ExitCode exportEncoderVerb(const ExportEncoderVerb& verb);
ExitCode foldAdminVerb(const ExportEncoderVerb& verb);  // folds, then exports
// Prints a table, or {"format":1,"init","seed","rows":[...],"profile":[...],"measured_on","weights"}
// (core/init/init_report.h; initialiseParts).
ExitCode initReportVerb(const InitReportVerb& verb);
// Writes output.safetensors ("input": the joined projections, "output": 0 where padded), weights.safetensors
// and init_report.json into the new folder `out`.
ExitCode extraLayersVerb(const ExtraLayersVerb& verb);
// Prints {"format":1,"path","request","result"} as one line a checkpoint
// (core/record/results/analysis_store.h), each as soon as it is stored; the first error ends it, what was
// computed before stays.
ExitCode probeVerb(const ProbeVerb& verb);
// Prints words, or {"format":1,"verdict","checks","stacks",...,"seconds","note"} as one line.
ExitCode trainabilityVerb(const TrainabilityVerb& verb);
// Prints words, or docs/dry_run.md §5 as one line. The exit code is that of the refusal where it does not
// fit.
ExitCode estimateVerb(const EstimateVerb& verb);
ExitCode allReduceVerb(const AllReduceVerb& verb);

// Says on stderr that damaged checkpoints were passed over, and what was used instead.
void warnOfDamaged(const std::vector<std::string>& damaged, const std::string& used);
// A configuration file or a preset file.
Result<RunConfig> readConfigOrPreset(const std::string& path);
// Starting point of a model without data: a file or a preset, and the number of pieces of its vocabulary.
struct StartingPoint {
  RunConfig config;
  std::string from;  // for errors
  std::int64_t vocabulary = 0;
};
inline constexpr std::int64_t kUsualVocabulary = 10'000;
// `vocabulary` 0: that of the preset, else kUsualVocabulary. Usage error for an unknown preset.
Result<StartingPoint> startingPoint(const std::string& file, const std::string& preset,
                                    std::int64_t vocabulary);
// Prints "error: ..." and returns the exit code that goes with it.
ExitCode reportError(const Error& error);

}  // namespace fathom
