// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/errors/result.h"

namespace fathom {

// leaveWish (control_folder.h) for somebody else: `by` is who asks, as the outcome of the run will name him.
Status leaveWishOf(const std::string& by, const std::string& runPath, const std::string& command);

}  // namespace fathom
