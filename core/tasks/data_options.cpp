// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/data_options.h"

#include "core/tasks/line_reader.h"

namespace fathom {

namespace {

OptionField fileField(std::string key, std::string title, std::string help) {
  OptionField field;
  field.key = std::move(key);
  field.type = OptionType::Path;
  field.defaultValue = "";
  field.title = std::move(title);
  field.help = std::move(help);
  field.group = "Data";
  return field;
}

}  // namespace

OptionField trainFileField() {
  return fileField(
      "data.train", "Training file",
      "Training data in the form the task reads (a table with tabs, text by lines); plain or gzip.");
}

OptionField validationFileField() {
  OptionField field =
      fileField("data.validation", "Validation file",
                "Validation data in the same form; empty = a part of the training file is kept apart.");
  field.disablingValue = "";
  return field;
}

OptionField testFileField() {
  OptionField field =
      fileField("data.test", "Test file",
                "Test data in the same form; empty = a part of the training file is kept apart.");
  field.disablingValue = "";
  return field;
}

OptionField badLinesField() {
  OptionField field;
  field.key = "data.bad_lines";
  field.type = OptionType::Choice;
  field.defaultValue = "refuse";
  field.choices = {{"refuse", "Stop with an error"}, {"skip", "Skip and count"}};
  field.title = "Bad lines";
  field.help =
      "Lines that cannot be used (no tab, too long, not UTF-8, an empty side): stop and name the first, or "
      "skip "
      "them, count them by reason and show the counts.";
  field.group = "Data";
  return field;
}

OptionField maxLineBytesField() {
  OptionField field;
  field.key = "data.max_line_bytes";
  field.type = OptionType::Integer;
  field.defaultValue = LineReader::kDefaultLineBytes;
  field.minimum = 64;
  field.maximum = 64 << 20;
  field.unit = "bytes";
  field.title = "Longest line";
  field.help = "A line with more bytes than this is a bad line.";
  field.group = "Data";
  return field;
}

OptionField splitSeedField() {
  OptionField field;
  field.key = "data.split_seed";
  field.type = OptionType::Integer;
  field.defaultValue = 1;
  field.minimum = 0;
  field.title = "Seed of the split";
  field.help =
      "Which examples are kept apart for validation and test; independent of the run's seed, so that runs "
      "with "
      "different seeds are judged on the same examples.";
  field.group = "Data";
  return field;
}

}  // namespace fathom
