// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/options/option_field.h"

namespace fathom {

// The options "model.<…>.weights" that name pre-trained weights, of whichever models the schema has.
std::vector<std::string> weightsKeys(const OptionSchema& schema);
// Value of the first of them that is active and not empty; "" where none is.
std::string namedWeights(const OptionValues& values);

// Usage error with its key for the first active path that names no file and has no value that turns it off
// (OptionField::disablingValue): data, vocabularies, the second of a pair of files. A vocabulary may also lie
// beside the pre-trained weights that are named. Not a rule: such a
// configuration can be shown, changed and kept, only not be trained.
Status checkFilesNamed(const OptionValues& values);

}  // namespace fathom
