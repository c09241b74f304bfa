// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/review/review.h"

namespace fathom {

// The Errors workspace in a window of its own: opening predictions, judging them, filtering many of them.
// Files given once stand for several models until there are `models` of them.
struct ReviewBench {
  ReviewSources sources;  // no gold: the sample of the program
  int rounds = 5;
  int models = 8;
  int rows = 10000;       // of the table that is filtered: the examples again and again
  bool openRows = false;  // it is opening all rows that is measured
};

// The same for a kind of reviews.list: of the files that are named, else of predictions that are made up.
struct KindBench {
  ReviewSources sources;  // kind; no gold: made up
  int rounds = 5;
  int models = 10;
  int rows = 10000;  // examples that are made up
};

// All in milliseconds.
struct ReviewTimes {
  int examples = 0, models = 0;
  std::vector<double> open;  // from the click on Open until the review is painted, files warm; per round
  std::vector<double> openProcessor;  // of that, the time of the processor in all threads
  std::vector<double> judge;          // a category set by hand, stored when the time ends; the slowest last
  int rows = 0;
  std::vector<double> keystroke;  // from a key in the filter box until table and facets are painted; sorted
  std::string slowest;  // the filter text after the slowest one, empty when it took back the last letter
  std::optional<double> pairs;  // all models in pairs, in the background, when the comparison is first shown
};

// GUI thread, with a QApplication. Files that cannot be opened are errors.
Result<ReviewTimes> benchReview(const ReviewBench& bench, Progress& progress, const StopToken& stop);
Result<ReviewTimes> benchKindReview(const KindBench& bench, Progress& progress, const StopToken& stop);

}  // namespace fathom
