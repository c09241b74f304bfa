// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "core/imports/imported_options.h"

namespace fathom {

// The hyperparameters of a run out of what TensorBoard's hparams plugin wrote (HParamsPluginData with a
// session_start_info), read straight from protobuf's wire format; experiments and ends of sessions hold none.
// False when the bytes are not such a message. Depth of nested values is capped.
bool readTensorboardHparams(std::string_view bytes, ImportedOptions& options);

}  // namespace fathom
