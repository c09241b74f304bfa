// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/probe/probe_entry.h"
#include "core/tasks/example_sample.h"
#include "core/train/parts/run_parts.h"

namespace fathom {

// Which data: a part ("train", "validation", "test"), and how many examples of it (see sampleExamples).
struct ProbeData {
  std::string part = "validation";
  std::int64_t examples = kBatchOfExamples;
  std::uint64_t seed = kSampleSeed;
};

// Subject of a probe: `model` of the parts on a sample of their data. The parts must outlive it; progress
// may be null. A part without examples gives a subject without batches.
ProbeSubject probeSubject(RunParts& parts, const OptionValues& options, const ProbeData& data,
                          Progress* progress, const StopToken& stop);

// Recorded report on a run's initialisation: that of its first attempt; null where there is none.
Json recordedInitialisation(const std::string& runPath);

}  // namespace fathom
