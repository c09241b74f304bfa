// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/json/json.h"
#include "core/tasks/task.h"

namespace fathom {

// Special values of the number of examples.
inline constexpr std::int64_t kAllExamples = 0;
inline constexpr std::int64_t kBatchOfExamples = -1;  // as many as a batch of the part holds on average

inline constexpr std::uint64_t kSampleSeed = 1;  // unless somebody asks for another: runs stay comparable

// The examples of one part of the data that are looked at: all that a batch of the part may hold, or so many
// of them drawn at random without replacement. The only place that chooses examples for probes, scheduled
// analyses, checks and sample outputs: batches are sorted by length, so that the first ones are the shortest.
struct ExampleSample {
  DataSplit split = DataSplit::Validation;
  std::int64_t of = 0;  // examples there are to choose from
  std::uint64_t seed = kSampleSeed;
  std::vector<ExampleId> examples;              // rising
  std::vector<std::vector<ExampleId>> batches;  // the same ones, as Task::planExamples has them

  std::int64_t size() const { return static_cast<std::int64_t>(examples.size()); }
  bool all() const { return size() == of; }
  // {"part", "examples", "of", "chosen": "all" or "random", "seed"}: goes into results.
  Json toJson() const;
};

// A function of task, part, count and seed alone; the sample of a smaller count is part of that of a larger
// one. `count`: a number from 1 up (more than there are: all), kAllExamples or kBatchOfExamples. Torch-free,
// any thread. Throws Failure.
ExampleSample sampleExamples(const Task& task, DataSplit split, std::int64_t count,
                             std::uint64_t seed = kSampleSeed);

}  // namespace fathom
