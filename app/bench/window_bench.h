// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"

namespace fathom {

// What a hand on the window waits for. All in milliseconds.
struct WindowTime {
  std::string id;                      // key of the JSON form
  std::string what;                    // for the table
  double bar = 0;                      // until everything that is in sight is painted
  std::vector<double> painted = {};    // per round, sorted
  std::vector<double> processor = {};  // of that, what the thread of the window worked; sorted
  // Longest time afterwards in which the window answers nothing, while what is out of sight follows.
  double pause = 0;
};

// A window on an empty project with all its workspaces and a review, the form of a new run with every option
// of the engine in sight: theme, size of texts, language, keys in the form and in the search. GUI thread,
// with a QApplication; without an engine beside the program it is an error.
Result<std::vector<WindowTime>> benchWindow(int rounds, Progress& progress, const StopToken& stop);

}  // namespace fathom
