// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fathom {

// Fills the places of standard input, output and error that are closed when a program starts, before anything
// else is opened: a file or pipe there would be taken for them, by us and by the programs we start. Reading
// finds the end, writing fails as it did.
void keepStandardStreams();

}  // namespace fathom
