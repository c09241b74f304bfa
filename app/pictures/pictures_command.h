// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command.h"

namespace fathom {

// All that fathom-pictures does.
Command picturesCommand();

}  // namespace fathom
