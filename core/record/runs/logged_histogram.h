// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/errors/result.h"

namespace fathom {

// The spread of values at a step, as another program logged it and an importer keeps it
// (artifacts/histograms.jsonl).
struct LoggedHistogram {
  double step = 0;
  std::vector<double> edges;   // one more than there are counts; they rise
  std::vector<double> counts;  // not negative
};

struct LoggedHistograms {
  std::vector<std::string> tags;        // all that the run has, in the order they came
  std::string tag;                      // whose are read
  std::vector<LoggedHistogram> states;  // steps rise; of a step that came twice the later one
  std::int64_t badLines = 0;
};

// The histograms of a tag, "" = the first one. A run without any, or without that tag, has no states. Errors
// name the file.
Result<LoggedHistograms> loggedHistograms(const std::string& runPath, const std::string& tag);

// The value below which this share of all lies, as if they were even within a bucket; NaN of an empty one.
double quantileOf(const LoggedHistogram& histogram, double share);
// The count of each bucket over its width and all that is counted; NaN of a bucket without width.
std::vector<double> densityOf(const LoggedHistogram& histogram);
// Buckets that are narrower than this share of the whole range joined with what follows them. TensorBoard's
// are millions of times narrower at 0 than at the ends: a single value there would be a spike of density.
LoggedHistogram withoutSlivers(const LoggedHistogram& histogram, double share);

}  // namespace fathom
