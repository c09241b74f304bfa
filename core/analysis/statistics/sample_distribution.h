// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace fathom {

// Numbers behind one violin of a figure. Non-finite samples are left out and counted.
struct SampleDistribution {
  std::int64_t count = 0;  // finite samples
  std::int64_t nonFinite = 0;
  std::array<double, 5> fiveNumbers{};  // minimum, quartile 1, median, quartile 3, maximum
  double mean = 0;
  double variance = 0;  // sample variance (n-1); NaN for one sample
  double median() const { return fiveNumbers[2]; }
};
SampleDistribution summariseSamples(std::span<const double> samples);

// Gaussian kernel, Scott's rule n^(-1/5) times the sample standard deviation (n-1), on 100 points from
// minimum to maximum (docs/statistics.md §4). Fewer than two different samples have no density: `density` is
// empty.
struct ViolinShape {
  double bandwidth = 0;
  std::vector<double> grid, density;
};
ViolinShape violinShape(std::span<const double> samples, int points = 100);

// Order of heads by median, ascending and stable: result[k] = head shown in column k (RealFormer Figs 4, 5).
std::vector<int> orderByMedian(std::span<const double> medians);

}  // namespace fathom
