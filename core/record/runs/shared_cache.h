// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fathom {

// Folder in which runs share what took long to make (core/objectives/objective.h, PrepareRequest):
// <project>/cache of a run in <project>/runs, else <run>/cache.
std::string sharedCachePath(const std::string& runPath);

}  // namespace fathom
