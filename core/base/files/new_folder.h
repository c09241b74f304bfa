// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "core/base/errors/result.h"

namespace fathom {

// Makes a folder in one step: `fill` writes into "<folder>.partial", which is moved when it succeeded and
// removed when it failed. Usage error when the folder exists.
Status makeNewFolder(const std::string& folder,
                     const std::function<Status(const std::string& partial)>& fill);

// For whoever computes long before there is something to write into a folder that a person has named: it is
// not there yet, and the one that it is to lie in is.
Status checkNewFolder(const std::string& folder);

}  // namespace fathom
