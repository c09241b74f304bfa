// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/errors/result.h"

namespace fathom {

// Looking at paths where "it cannot be looked at" and "it is not there" are different answers: no permission,
// a loop of links, a disk or a server that fails are errors that name path and reason (inputError). What is
// only a matter of taste or speed is asked with path_facts.h.

// Whether something is at `path`; links are followed, and one that leads nowhere is nothing.
Result<bool> isThere(const std::string& path);
// What is in a folder, hidden names too, in no order; empty where there is no folder.
Result<std::vector<std::filesystem::directory_entry>> entriesIn(const std::string& path);

}  // namespace fathom
