// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/review/review_kind.h"

namespace fathom {

// A run as a review asks for it.
struct ReviewedRun {
  std::string name, folder;
  Json options;  // effective ones of its last attempt
};

// The input that a review of any kind takes from a run: the sets of the part that was predicted last, and the
// files that the run's options name for the review (TaskReview::files).
struct RunPredictions {
  struct Set {
    std::string name, path;  // "RUN · 1-120", each once
  };
  std::string split;  // "validation"
  std::vector<Set> sets;
  std::map<std::string, std::string> files;
  std::map<std::string, std::string> read;  // by role ("train", "validation"): the files that the run read
  // "" = the run names none.
  std::string file(const std::string& part) const;
};

// Reads the heads of the stored sets; `project` is where files that moved are looked for. Error: nothing is
// stored. Any thread.
Result<RunPredictions> runPredictions(const ReviewedRun& run, const std::string& project);
// The review of them: the gold file that the run's options name for the part that was predicted last; where
// it is gone, or is a share of the training file, what the run read of it; else the set itself. Without a
// kind of review: usage error.
Result<ReviewSources> runReviewSources(const ReviewedRun& run, const std::string& project);

}  // namespace fathom
