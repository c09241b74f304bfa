// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/runner/launcher.h"

namespace fathom {

// The record on this disk of a run that was started at a host, so that whoever comes after a runner that died
// finds it and nobody starts it twice: queue/ssh/<uuid>.json, written before the host is asked.
struct SshStart {
  std::string place, token;  // the token is the host's name of the start
  int attempts = 0;          // of the run, before
  JobRequest request;
};
Status writeSshStart(const std::string& project, const SshStart& start);
std::optional<SshStart> sshStartOf(const std::string& project, const std::string& place,
                                   const std::string& runPath);
void removeSshStart(const std::string& project, const std::string& uuid);

}  // namespace fathom
