// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/errors/result.h"

namespace fathom {

// The last words of an engine that died, at most 600 bytes in whole lines: without the lines of progress
// that it writes all the time (core/engine/training_line), which say nothing of the death.
std::string lastMessage(std::string_view written);
// The same of the file of its messages; "" where it cannot be read.
std::string lastMessageOf(const std::string& path);
// Gives the disk back what an engine that still writes wrote long ago, however much a library prints. Its
// newest part stays whole: the old one becomes a hole in the file.
void freeOldMessages(const std::string& path);
// Copies the messages of an engine that has ended: all, or of very many the newest.
Status keepMessages(const std::string& path, const std::string& target);

}  // namespace fathom
