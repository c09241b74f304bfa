// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/example_sample.h"

#include <algorithm>

#include "core/base/numbers/random_stream.h"

namespace fathom {

namespace {

// Number of examples, settled before anything is drawn: filling a batch until the next example is too long
// for it would leave out the long ones.
std::int64_t wantedCount(const Task& task, DataSplit split, std::int64_t count, std::int64_t available) {
  if (count == kAllExamples) return available;
  if (count != kBatchOfExamples) return std::min(count, available);
  const std::int64_t batches = std::max<std::int64_t>(1, task.batchCount(split));
  return (available + batches - 1) / batches;
}

}  // namespace

Json ExampleSample::toJson() const {
  return {{"part", dataSplitName(split)},
          {"examples", size()},
          {"of", of},
          {"chosen", all() ? "all" : "random"},
          {"seed", seed}};
}

ExampleSample sampleExamples(const Task& task, DataSplit split, std::int64_t count, std::uint64_t seed) {
  if (count < kBatchOfExamples)
    throw Failure(internalError("a sample of " + std::to_string(count) + " examples"));
  const std::vector<ExampleId> available = task.batchedExamples(split);
  ExampleSample sample;
  sample.split = split;
  sample.of = static_cast<std::int64_t>(available.size());
  sample.seed = seed;
  const std::int64_t wanted = wantedCount(task, split, count, sample.of);
  if (wanted == sample.of) {
    sample.examples = available;
  } else {
    RandomStream random(streamSeed(seed, std::string("sample.") + dataSplitName(split)));
    std::vector<std::int64_t> drawn = random.permutation(sample.of);
    drawn.resize(static_cast<std::size_t>(wanted));
    std::sort(drawn.begin(), drawn.end());
    for (const std::int64_t place : drawn)
      sample.examples.push_back(available[static_cast<std::size_t>(place)]);
  }
  sample.batches = task.planExamples(split, sample.examples);
  return sample;
}

}  // namespace fathom
