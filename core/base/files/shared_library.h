// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fathom {

// Whether a shared library ends before its section headers do, which stand last: the loader maps such a file,
// and the process dies where it reads a page that is not there. False for what is no library, which the
// loader refuses by itself, and for what cannot be read. Any thread.
bool isLibraryCutShort(const std::string& file);

// The file that the loader would take for a library of that name: the first one in the folders in which it
// searches for this program. "" where none has it. Any thread.
std::string libraryFile(const std::string& name);

}  // namespace fathom
