// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/json/json.h"

namespace fathom {

// JSON as it is written and printed: on one line, or with `indent` blanks a level. Never throws: a byte that
// is not UTF-8 (of a file's name, of a cell that was cut) becomes U+FFFD, where Json::dump() ends the
// program.
std::string jsonText(const Json& json, int indent = -1);

}  // namespace fathom
