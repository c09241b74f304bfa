// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace fathom {

// What this program does where ssh has started it to ask a person (SSH_ASKPASS, PlaceTalk::Who::Window):
// hands the question to the window behind the door, waits for its answer, prints it. The exit code, 1 where
// there is no answer; nothing where the program was started for something else. Blocks.
std::optional<int> answerForSsh(const std::vector<std::string>& words);

}  // namespace fathom
