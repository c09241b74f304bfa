// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/errors/result.h"

namespace fathom {

// Makes the last folder of a path, and no other: whoever writes into a run or a project whose folder was
// deleted meanwhile must not make it anew. Nothing is wrong with one that is there.
Status makeOneFolder(const std::string& path);

}  // namespace fathom
