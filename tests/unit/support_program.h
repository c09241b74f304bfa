// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fathom::tests {

struct EndedProgram {
  int code = -1;       // what it returned; -1: not started, or ended by a signal
  std::string output;  // what it said, empty where that went into a file
};

// Runs a program (found as the shell does) to its end, without Qt: QProcess starts one by clone() with shared
// memory, which the thread sanitizer does not survive. A test's own deadline (QTEST_FUNCTION_TIMEOUT) holds.
EndedProgram runProgram(const std::vector<std::string>& words, const std::string& outputFile = {});

}  // namespace fathom::tests
