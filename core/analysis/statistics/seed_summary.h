// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "core/base/options/option_field.h"

namespace fathom {

// Several runs of one configuration, one value each; a value that is not finite is a failed run. Failed runs
// are left out and reported ("failed 1/5"). One finished run has a mean but no spread (NaN); none: all NaN.
struct SeedSummary {
  int runs = 0;
  int finished = 0;
  double mean = 0;
  double deviation = 0;      // sample standard deviation, n-1
  double standardError = 0;  // deviation / sqrt(n)
  double halfWidth95 = 0;    // t(.975, n-1) * standardError
  double minimum = 0;
  double maximum = 0;
  int failed() const { return runs - finished; }
};

SeedSummary summariseSeeds(std::span<const double> values);

// Common part of the names of runs that differ only in the seed, without "seed" and separators left
// over: "deep admin" for "deep · seed 1 admin" and "deep · seed 2 admin". The first name where they have
// no part in common.
std::string seedGroupName(std::span<const std::string> names);

// The option group_seeds, off by default.
OptionField groupSeedsField();

}  // namespace fathom
