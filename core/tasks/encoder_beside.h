// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fathom {

struct FoundDataSet;

// Looks in the folder of a data set, in its sub-folders and in those beside it for what goes with a
// pre-trained encoder: an encoder that was imported (its config.json says how it is built and read), else a
// vocabulary of word pieces. What is found becomes options; what is not is said to be missing.
void takeEncoderBeside(const std::string& folder, FoundDataSet& found);

}  // namespace fathom
