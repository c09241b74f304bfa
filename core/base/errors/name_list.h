// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/errors/phrase.h"

namespace fathom {

// "a, b, c", with the mark that another language has between the members of a list.
Phrase listed(std::vector<Phrase> members);
Phrase nameList(const std::vector<std::string>& names);

}  // namespace fathom
