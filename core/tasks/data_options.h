// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/option_field.h"

namespace fathom {

// Declarations that several tasks list: one text, one range, one default for a key. The factories only fill
// in what differs, the kind of file a task reads.
OptionField trainFileField(const std::string& what);       // data.train
OptionField validationFileField(const std::string& what);  // data.validation, "" = cut from the training file
OptionField testFileField(const std::string& what);        // data.test
OptionField badLinesField();                               // data.bad_lines: refuse | skip
OptionField maxLineBytesField();                           // data.max_line_bytes
OptionField splitSeedField();                              // data.split_seed
OptionField vocabularySizeField();                         // data.vocabulary.size

}  // namespace fathom
