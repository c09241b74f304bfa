// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/base/options/option_field.h"

namespace fathom {

// Why a task refuses to keep nothing apart where no validation file is named.
inline constexpr const char* kNoValidation =
    "every run is validated: name a validation file, or keep a part of the training file for it";

// The files of a task that has one for each part, and how they are read.
struct DataFiles {
  std::string train, validation, test;  // as named; "" = none
  bool skipBadLines = false;
  std::int64_t maxLineBytes = 0;
  std::uint64_t splitSeed = 1;
};
DataFiles dataFiles(const OptionValues& values);

// Declarations that several tasks list: one text, one range, one default for a key.
OptionField trainFileField();       // data.train
OptionField validationFileField();  // data.validation, "" = cut from the training file
OptionField testFileField();        // data.test
OptionField badLinesField();        // data.bad_lines: refuse | skip
OptionField maxLineBytesField();    // data.max_line_bytes
OptionField splitSeedField();       // data.split_seed
OptionField batchExamplesField();   // batch.examples
// Fields of the vocabulary whose kind is `<vocabulary>.kind`; the title is the task's.
OptionField mergesFileField(const std::string& vocabulary, const char* title);  // <vocabulary>.merges
OptionField lowerCaseField(const std::string& vocabulary, const char* title);   // <vocabulary>.lower_case

}  // namespace fathom
