// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fathom {

// A file or folder that one reader reads whole.
struct SourcePlace {
  std::string path;
  std::string format = "auto";  // id of its entry in imports.list
  std::string name = {};  // beginning of its runs' names, where the path below what was named tells them
  // The folder that was named: one of those who follow places of it reads what comes there later of other
  // kinds, too. "" for a file.
  std::string around = {};
};

}  // namespace fathom
