// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "core/base/errors/result.h"

namespace fathom {

// Makes a folder in one step: `fill` writes into a folder of ours beside it (temporary_file.h), which is
// moved when it succeeded and removed when it failed. Usage error when the folder exists.
Status makeNewFolder(const std::string& folder,
                     const std::function<Status(const std::string& partial)>& fill);

// For whoever computes long before there is something to write into a folder that a person has named: it is
// not there yet, and the one that it is to lie in is.
Status checkNewFolder(const std::string& folder);

// The same where the folder may be there already: then its files stay and those that `fill` writes come to
// them. Unavailable, with nothing changed, where one of them is there with other bytes.
Status fillFolder(const std::string& folder, const std::function<Status(const std::string& partial)>& fill);

}  // namespace fathom
