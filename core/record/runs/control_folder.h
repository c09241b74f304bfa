// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/base/errors/result.h"

namespace fathom {

// Wishes to a running engine as files, for those who share its disk and cannot reach its socket: another
// host, a batch system, a person with `touch`. A file `<any name>.stop`, `.checkpoint` or `.abort` in the
// folder `control` of the run is one wish; it may hold {"by": "who asks"}. The engine looks every
// kControlSeconds and removes what it heeds.
inline constexpr const char* kControlFolderName = "control";
inline constexpr int kControlSeconds = 2;

// The commands of sockets, standard input and files alike.
bool isControlCommand(const std::string& command);

struct ControlWish {
  std::string command;
  std::string asker;  // by the file's own word, else its owner; cut where it is long
};

// Makes the folder where it is not there, open to those whom the run is open to. The file is written aside
// and renamed.
Status leaveWish(const std::string& runPath, const std::string& command);
// Those that are there, by name; each is removed. One that cannot be removed is given once: its name is kept
// in `heeded`; at the beginning of an attempt it is not given, as an earlier one may have heeded it. Files of
// other names stay. No folder, or one that cannot be read, is no wish.
std::vector<ControlWish> takeWishes(const std::string& runPath, std::set<std::string>& heeded,
                                    bool beginning = false);

}  // namespace fathom
