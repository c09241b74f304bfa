// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/errors/error.h"

namespace fathom {

// The error in other words on its way up, said in the window's language like those it was made with; the
// rest stays.
Error withMessage(Error error, ErrorWords message);
Error withHint(Error error, ErrorWords hint);

}  // namespace fathom
