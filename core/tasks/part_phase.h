// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/errors/phrase.h"

namespace fathom {

// Words for the work on a part of the data, for a progress: one marked text for each part.
std::string partPhase(const std::string& part, Phrase::Text train, Phrase::Text validation,
                      Phrase::Text test);

}  // namespace fathom
