// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "core/nn/pretrained/encoder_folder.h"

namespace fathom {

// A model of the architecture of weights that holds no memory: names and shapes alone. `file` is named in
// errors; `lenient`: options that are not of the model are passed over.
Result<std::unique_ptr<Model>> modelOfWeights(const std::string& file, const EncoderWeights& weights,
                                              bool lenient);

}  // namespace fathom
