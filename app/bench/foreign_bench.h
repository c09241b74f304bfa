// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/base/threads/stop_token.h"

namespace fathom {

// Sources of other programs (docs/benchmarks.md §2): read as `fathom import-run` reads them, followed as
// `run-queue` does, and written as a training script does. Equal results first; seconds unless the name says
// otherwise.

// A table read by us and by others, in turn.
struct ReadTimes {
  std::int64_t points = 0;
  double megabytes = 0;
  std::vector<double> ours;         // reading alone
  std::vector<double> whole;        // `fathom import-run` from start to end
  std::vector<double> accumulator;  // TensorBoard's EventAccumulator, reading alone; empty: absent
  std::vector<double> fast;         // TensorBoard's data server; empty: absent
  std::string accumulatorMissing, fastMissing;  // why
};
// `runs` runs of TensorBoard with so many points each.
Result<ReadTimes> benchEventRuns(int runs, std::int64_t points, int rounds, const StopToken& stop);

struct ReaderLimits {
  double wideStep = 0;     // a run with 20,000 scalars a step, 20 steps
  double manyFolders = 0;  // 1,000 sub-folders listed by the preview
  double wandb = 0;        // a .wandb file
  double wandbMegabytes = 0;
  double idleShare = 0;  // of a core, 200 sources that do not grow
};
// `seconds`: how long the idle sources are followed.
Result<ReaderLimits> benchReaderLimits(double seconds, const StopToken& stop);

// One writer in a loop of its own: microseconds in the caller of a call with five scalars.
struct LogCost {
  std::string writer;
  std::string missing;           // why it did not run; empty: it did
  double median = 0, worst = 0;  // 50 % and 99.9 %
};
struct LogTimes {
  std::vector<LogCost> writers;  // ours first, then the floor
  double plain = 0, logged = 0;  // seconds of a small training without and with ours, medians of the rounds
  double noise = 0;              // between the rounds without, largest minus smallest over the median
};
Result<LogTimes> benchLogging(int steps, int rounds, const StopToken& stop);

// A look into the attention of a model of transformers, a batch of 1,024 tokens in sequences of one length,
// one thread: seconds of a plain forward pass, of eager attention with its maps, of fathom.capture with all
// rows and with an eighth of them, and of the floor; megabytes above a plain pass.
struct CaptureCost {
  int tokens = 0;       // of a sequence
  std::string missing;  // why it did not run; empty: it did
  double plain = 0, eager = 0, all = 0, eighth = 0;
  double floor = 0;  // a plain pass, and nothing but the rows of all layers and their sums
  double eagerMegabytes = 0, allMegabytes = 0;
};
// The mean entropies of all heads of eager attention and of capture are equal to 1e-5, or a data error.
Result<std::vector<CaptureCost>> benchCapture(const StopToken& stop);

}  // namespace fathom
