// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace fathom {

// Choices of this user on this machine that window, shell and runner share:
// $XDG_CONFIG_HOME/fathom/fathom.ini. Any thread.
struct MachineSettings {
  std::string engine;     // path of fathom-engine; "" = the one beside the program
  int cores = 0;          // that runs may share; 0 = all that this process may use
  bool keepAwake = true;  // no sleep while a run trains (sleep_guard.h)
};

MachineSettings machineSettings();
void setMachineSettings(const MachineSettings& settings);

}  // namespace fathom
