// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "app/runner/launcher.h"

namespace fathom {

// Starts the command of a request on this machine, in its folder and a session of its own, and keeps the
// start in the run's folder (run_script.h). By the environment the program finds the run, its options and the
// checkpoint to go on from, as packaging/python/fathom.py reads them. Error where the folder or the program
// is not there, or the system starts no process. A program that writes the run hears stop, save and abort
// itself; of any other a stop and an abort end the whole session by SIGTERM.
Result<std::unique_ptr<Job>> startScript(const JobRequest& request, const std::string& project);
// The command that somebody else has started for the run and that still works; null where there is none.
std::unique_ptr<Job> adoptScript(const std::string& runPath);

}  // namespace fathom
