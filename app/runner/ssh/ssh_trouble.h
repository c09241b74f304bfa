// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/errors/error.h"

namespace fathom {

// Why a connection was not made or ended, from what ssh printed: one sentence with the host, ssh's own last
// line, and what to do.
struct SshTrouble {
  Error error;
  bool lasting = false;  // trying again changes nothing: somebody has to do something
};
SshTrouble sshTrouble(const std::string& place, const std::string& host, const std::string& printed,
                      int exitCode);

}  // namespace fathom
