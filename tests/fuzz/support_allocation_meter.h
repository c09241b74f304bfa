// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace fathom {

// Counts what operator new hands out in a program that links this (operator new and delete are replaced).
// Thread-safe.
void startAllocationMeter();
// Most bytes alive at once since the start, without what was alive then.
std::size_t allocationPeak();

}  // namespace fathom
