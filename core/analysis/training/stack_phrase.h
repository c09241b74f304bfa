// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/errors/phrase.h"

namespace fathom {

// A stack of layers as people call it: "encoder", "decoder", "extra"; another name as it is.
Phrase stackPhrase(const std::string& stack);

}  // namespace fathom
