// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fathom::tests {

struct EndedProgram {
  int code = -1;       // what it returned; -1: not started, or ended by a signal
  std::string output;  // what it said on standard output, empty where that went into a file
};

// Runs a program (found as the shell does) to its end, without Qt: QProcess starts one by clone() with shared
// memory, which the thread sanitizer does not survive. A test's own deadline (QTEST_FUNCTION_TIMEOUT) holds.
// Its errors go where the test's own go, or into a file.
EndedProgram runProgram(const std::vector<std::string>& words, const std::string& outputFile = {},
                        const std::string& errorFile = {});

}  // namespace fathom::tests
