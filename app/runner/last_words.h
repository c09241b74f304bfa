// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace fathom {

// What an engine that died wrote at last, at most 600 bytes in whole lines: without the lines of progress
// that it writes all the time (core/engine/training_line), which say nothing of the death.
std::string lastWords(std::string_view written);

}  // namespace fathom
