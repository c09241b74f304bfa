// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/base/errors/error.h"

namespace fathom {

// Turns whatever is being handled (call inside a catch block) into an Error: what was thrown as a Failure,
// what LibTorch throws for memory and accelerators, what the standard library throws
// (core/base/threads/error_boundary.h). The type decides, words only where LibTorch has no type of its own.
Error currentExceptionError();

// Error for an error code of the CUDA runtime (driver_types.h): memory; a device that cannot be used here,
// or not by this program; a fault of the device, which starting again may mend; everything else is a mistake
// of ours, which would only come again.
Error acceleratorError(std::int32_t code, const std::string& text);

}  // namespace fathom
