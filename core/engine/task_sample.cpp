// SPDX-License-Identifier: Apache-2.0
#include "core/engine/task_sample.h"

#include <algorithm>
#include <iterator>

#include "core/base/atomic_file.h"
#include "core/tasks/nmt/nmt_sample.h"

namespace fathom {

namespace {

constexpr std::uint64_t kSeed = 1;
constexpr NmtSampleSizes kSizes{2000, 100, 100}, kTextSizes{600, 60, 60};
constexpr std::size_t kSentencesOfDocument = 25;

using Parts = std::pair<const char*, NmtSample::Pairs NmtSample::*>;
constexpr Parts kParts[] = {
    {"train", &NmtSample::train}, {"validation", &NmtSample::validation}, {"test", &NmtSample::test}};

Result<TaskSample> translation(const std::string& folder) {
  FATHOM_CHECK(writeNmtSample(folder, kSeed, kSizes));
  TaskSample sample;
  sample.options = {{"data.format", "tsv"},       {"data.header", false}, {"data.source_column", 1},
                    {"data.target_column", 2},    {"data.max_pairs", 0},  {"data.vocabulary.kind", "bpe"},
                    {"data.vocabulary.size", 300}};
  for (const auto& [part, pairs] : kParts) {
    sample.options[std::string("data.") + part] = folder + "/" + part + ".tsv";
    sample.options[std::string("data.") + part + "_target"] = "";
  }
  return sample;
}

// The English sentences, some of them a document.
Result<TaskSample> maskedWords(const std::string& folder) {
  FATHOM_TRY(const NmtSample made, makeNmtSample(kSeed, kTextSizes));
  TaskSample sample;
  sample.options = {{"mlm.documents", "blank_line"},
                    {"mlm.sentences", "line"},
                    {"mlm.vocabulary.kind", "bpe"},
                    {"mlm.vocabulary.size", 300},
                    {"mlm.duplicates", 1}};
  for (const auto& [part, pairs] : kParts) {
    std::string text;
    std::size_t sentences = 0;
    for (const auto& [german, english] : made.*pairs)
      text += english + (++sentences % kSentencesOfDocument == 0 ? "\n\n" : "\n");
    const std::string file = folder + "/" + part + ".txt";
    FATHOM_CHECK(writeFileAtomically(file, text));
    sample.options[std::string("data.") + part] = file;
  }
  return sample;
}

struct SampleOfTask {
  const char* task;
  Result<TaskSample> (*write)(const std::string& folder);
};
constexpr SampleOfTask kSamples[] = {{"nmt", translation}, {"mlm", maskedWords}};

}  // namespace

Result<TaskSample> writeTaskSample(const std::string& task, const std::string& folder) {
  const auto* found = std::find_if(std::begin(kSamples), std::end(kSamples),
                                   [&](const SampleOfTask& sample) { return task == sample.task; });
  if (found != std::end(kSamples)) return found->write(folder);
  Error error = usageError("task '" + task + "' has no generated sample, and no data are named",
                           "set data.train to a file");
  error.key = "data.train";
  return error;
}

}  // namespace fathom
