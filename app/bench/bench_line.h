// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/command.h"

namespace fathom {

// Types shared by the lines of benches.list. An entry is a Command: its options and what it measures.

inline constexpr const char* kBenchProgram = "fathom-bench";
// The benches of benches.list.
const std::vector<Command>& appBenches();

// Processes that want a core; read before a measurement begins.
double systemLoad();
std::string loadText(double load);

OptionField roundsField();

// Times in milliseconds, in the order of the table.
struct Measured {
  std::string what;
  double milliseconds;
};
CommandOutput measuredOutput(const std::string& bench, double load, const std::vector<Measured>& measured);

}  // namespace fathom
