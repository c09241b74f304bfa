// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fathom {

// A file or folder that one reader reads whole.
struct SourcePlace {
  std::string path;
  std::string format = "auto";  // id of its entry in imports.list
  std::string name = {};  // beginning of its runs' names, where the path below what was named tells them
  // The folder that was named: whoever follows this place reads what comes there later of other kinds, too.
  // "" for all but one of the places that a folder stands for.
  std::string around = {};
};

}  // namespace fathom
