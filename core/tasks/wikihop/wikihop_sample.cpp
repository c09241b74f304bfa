// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/wikihop/wikihop_sample.h"

#include "core/tasks/wikihop/long_sample.h"

namespace fathom {

Json wikihopSampleFiles(const std::string& folder) {
  return {{"data.train", folder + "/train.json"},
          {"data.validation", folder + "/validation.json"},
          {"data.test", folder + "/test.json"},
          {"text.vocabulary.file", folder + "/vocab.txt"}};
}

Result<TaskSample> writeWikihopSample(const std::string& folder, std::uint64_t seed, SampleSize size) {
  LongSampleSizes sizes;
  if (size == SampleSize::Check) sizes.train = 40, sizes.validation = sizes.test = 10;
  FATHOM_CHECK(writeLongSample(folder, seed, sizes));
  FATHOM_TRY(const LongSample words, makeLongSample(seed, {.train = 1, .validation = 1, .test = 1}));
  TaskSample sample;
  sample.pieces = static_cast<int>(words.vocabulary.size());
  sample.options = {{"text.vocabulary.kind", "wordpiece"}, {"text.vocabulary.lower_case", true}};
  sample.options.update(wikihopSampleFiles(folder));
  return sample;
}

}  // namespace fathom
