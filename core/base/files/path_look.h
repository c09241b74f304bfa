// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/errors/result.h"

namespace fathom {

// Looking at paths where "it cannot be looked at" and "it is not there" are different answers: no permission,
// a loop of links, a disk or a server that fails are errors that name path and reason (inputError). What is
// only a matter of taste or speed is asked with path_facts.h. Folders are walked with these functions alone
// (a test of tests/architecture looks at every call).

// True if something is at `path`; links are followed, and one that leads nowhere is nothing.
Result<bool> isThere(const std::string& path);
// Content of a folder, hidden names too, in no order; empty where there is no folder.
Result<std::vector<std::filesystem::directory_entry>> entriesIn(const std::string& path);
// The same of a folder that has to be there: an absent one is an error, too.
Result<std::vector<std::filesystem::directory_entry>> contentsOf(const std::string& path);
// Everything below a folder that has to be there; links are named and not followed. A folder below it that
// cannot be looked into is an error.
Result<std::vector<std::filesystem::directory_entry>> treeBelow(const std::string& path);
// Bytes of all files below a folder, or of one file, 0 where nothing is; links count nothing. An error where
// a part of it cannot be looked into.
Result<std::uintmax_t> sizeBelow(const std::string& path);
// Visible content of a folder, for whoever tidies up: entries that cannot be seen simply stay. Never for an
// answer, where it would read as "is not there"; a test of tests/architecture names the files that may.
std::vector<std::filesystem::directory_entry> seenIn(const std::string& path);

}  // namespace fathom
