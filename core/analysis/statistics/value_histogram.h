// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/statistics/running_moments.h"
#include "core/analysis/statistics/sample_distribution.h"

namespace fathom {

// A distribution that is fed without end: exact samples up to a cap, then equal bins on [low, high]. Moments,
// minimum and maximum stay exact; quantiles are off by at most one bin once the cap is passed. Non-finite
// values are counted and left out.
class ValueHistogram {
 public:
  ValueHistogram(double low, double high, int bins = 1000, std::size_t exactCap = 8192);
  void add(double value);
  bool exact() const { return m_counts.empty(); }
  SampleDistribution summary() const;
  ViolinShape violin(int points = 100) const;
  const std::vector<std::int64_t>& counts() const { return m_counts; }  // empty while exact

 private:
  void toBins();
  std::size_t binOf(double value) const;
  double m_low, m_high;
  std::size_t m_bins, m_cap;
  std::vector<double> m_samples;
  std::vector<std::int64_t> m_counts;
  RunningMoments m_moments;
  std::int64_t m_nonFinite = 0;
};

}  // namespace fathom
