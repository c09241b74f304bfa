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

}  // namespace fathom
