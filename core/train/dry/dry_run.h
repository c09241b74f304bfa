// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/errors/phrase.h"
#include "core/base/files/memory_group.h"
#include "core/base/json/json.h"
#include "core/train/dry/dry_model.h"
#include "core/train/dry/step_costs.h"

namespace fathom {

// Bytes of a run while it is trained (docs/dry_run.md §2).
struct MemoryNeed {
  std::int64_t program = 0;  // the engine with its libraries and the data
  std::int64_t weights = 0, gradients = 0, optimiser = 0;
  std::int64_t activations = 0;  // at the longest batch; validation and saving where they take more
  std::int64_t total() const { return program + weights + gradients + optimiser + activations; }
};

// A change with which a run would fit.
struct MemoryRemedy {
  std::vector<std::pair<std::string, std::int64_t>> options;
  Phrase words;  // "18 layers fit"
};

struct DryRunRequest {
  const OptionValues& options;
  std::int64_t vocabulary = 0;  // pieces where the options do not say
  double seconds = 3;           // so long may updates of the model itself be timed; 0: nothing is built
  // Data of more bytes are not read for it: the answer is that of the made data.
  std::int64_t mostDataBytes = 0;
  // Only whether it fits: nothing is measured where that is plain.
  bool onlyWhetherItFits = false;
  std::string diskPath;  // a folder on the disk of the run, or ""
  // Opens the data, for whoever asks several times about the same; unset: they are read.
  std::function<Result<std::shared_ptr<const Task>>(const OptionValues&, const TaskSetup&)> open = {};
  Progress* progress = nullptr;  // may be null
  StopToken stop = {};
};

struct DryRun {
  ParameterCount parameters;
  std::string device;
  MemoryNeed memory;
  bool memoryKnown = true;  // activations are; else what is told is the least
  std::optional<MemoryRoom> room;
  std::vector<MemoryRemedy> remedies;  // where it does not fit
  double batchTokens = 0;              // padded, of the longest batch
  std::int64_t batchRows = 0;          // 0: not known
  std::optional<double> updateSeconds, totalSeconds, validationSeconds, scoreSeconds, dataSeconds;
  double stepSeconds = 0;                // of an update: the optimiser
  std::optional<double> prepareSeconds;  // states of a frozen encoder, where no earlier run has kept them
  std::int64_t updates = -1, validations = -1, scores = -1;
  std::int64_t timedUpdates = 0;  // of the model itself; 0: worked out from a shallow one
  std::int64_t checkpointBytes = 0, checkpoints = 0;
  std::optional<std::int64_t> diskFree;
  bool ownData = false;  // of the run; else the made data
  std::vector<Phrase> notes;

  bool memoryFits() const { return !room || memory.total() <= room->free; }
  std::int64_t diskBytes() const { return checkpointBytes * checkpoints; }
  bool diskFits() const { return !diskFree || diskBytes() <= *diskFree; }
};

// Needs of a run of these options. Never makes anything that would not fit itself.
Result<DryRun> dryRun(const DryRunRequest& request);
// The refusal of a run that cannot fit, naming numbers and what would make it fit; ok where it does.
Status checkFits(const DryRun& run);
// As docs/dry_run.md §5 says.
Json dryRunToJson(const DryRun& run);

// Before a run is built, when its data are read: refuses one that cannot fit. What needs no measuring is
// looked at always; a shallow model is measured only where it is in doubt.
Status checkRoomFor(const OptionValues& options, const Task& task, const torch::Device& device,
                    const StopToken& stop);
// The error of a device whose memory was exhausted by a run that seemed to fit, with changes of one thing
// each that need a quarter less; as it is where there are none.
Error withWhatFits(const Error& exhausted, const OptionValues& options, const Task& task,
                   const torch::Device& device);

}  // namespace fathom
