// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/data_options.h"

#include "core/base/lines/line_reader.h"
#include "core/base/options/field_builder.h"

namespace fathom {

DataFiles dataFiles(const OptionValues& values) {
  return {.train = values.text("data.train"),
          .validation = values.text("data.validation"),
          .test = values.text("data.test"),
          .skipBadLines = values.text("data.bad_lines") == "skip",
          .maxLineBytes = values.integer("data.max_line_bytes"),
          .splitSeed = static_cast<std::uint64_t>(values.integer("data.split_seed"))};
}

OptionField trainFileField() {
  return pathField(
             "data.train", "Training file",
             "Training data in the form the task reads (a table with tabs, text by lines); plain or gzip.")
      .group("Data");
}

OptionField validationFileField() {
  return pathField("data.validation", "Validation file",
                   "Validation data in the same form; empty = a part of the training file is kept apart.")
      .off("")
      .group("Data");
}

OptionField testFileField() {
  return pathField("data.test", "Test file",
                   "Test data in the same form; empty = a part of the training file is kept apart.")
      .off("")
      .group("Data");
}

OptionField badLinesField() {
  return choiceField(
             "data.bad_lines", "Bad lines",
             "Lines that cannot be used (no tab, too long, not UTF-8, an empty side): stop and name the "
             "first, or skip them, count them by reason and show the counts.",
             {{"refuse", "Stop with an error"}, {"skip", "Skip and count"}})
      .group("Data");
}

OptionField maxLineBytesField() {
  return integerField("data.max_line_bytes", "Longest line",
                      "A line with more bytes than this is a bad line.", LineReader::kDefaultLineBytes)
      .between(64, 64 << 20)
      .unit("bytes")
      .group("Data");
}

OptionField splitSeedField() {
  return integerField(
             "data.split_seed", "Seed of the split",
             "Which examples are kept apart for validation and test; independent of the run's seed, so "
             "that runs with different seeds are judged on the same examples.",
             1)
      .atLeast(0)
      .group("Data");
}

OptionField batchExamplesField() {
  return integerField("batch.examples", "Batch in examples",
                      "Every training batch has this many examples (questions, sentences, windows), the last "
                      "of an epoch perhaps fewer.",
                      16)
      .between(1, 1 << 16)
      .unit("examples")
      .group("Batches");
}

OptionField mergesFileField(const std::string& vocabulary, const char* title) {
  return pathField(vocabulary + ".merges", title,
                   "RoBERTa's merges.txt; empty takes the one beside the vocabulary file.")
      .off("")
      .when(vocabulary + ".kind", {"byte_bpe"});
}

OptionField lowerCaseField(const std::string& vocabulary, const char* title) {
  return flagField(vocabulary + ".lower_case", title,
                   "Text is lower-cased and loses its accents, as for an uncased vocabulary.", true)
      .when(vocabulary + ".kind", {"wordpiece"});
}

}  // namespace fathom
