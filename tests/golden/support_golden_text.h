// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <string>

namespace fathom::test {

// Compares with a file of tests/golden/figures, or writes it where FATHOM_REGENERATE is set. What is wrong
// (the first lines that differ); empty = nothing.
QString goldenProblem(const std::string& text, const std::string& file);

}  // namespace fathom::test
