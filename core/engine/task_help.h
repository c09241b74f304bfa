// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fathom {

// Help of verbs about tasks, made from the list of tasks.

// For every task, the form of a line that predict and serve take, and one such line.
std::string inputFormsHelp(const std::string& title);
// Tasks that have made data, and the files that each is written as.
std::vector<std::string> tasksWithMadeData();
std::string madeFilesHelp();

}  // namespace fathom
