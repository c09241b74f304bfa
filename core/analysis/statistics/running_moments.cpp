// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/statistics/running_moments.h"

#include <algorithm>
#include <limits>

namespace fathom {

void RunningMoments::add(double value) {
  minimum = count == 0 ? value : std::min(minimum, value);
  maximum = count == 0 ? value : std::max(maximum, value);
  ++count;
  const double off = value - mean;
  mean += off / static_cast<double>(count);
  squares += off * (value - mean);
}

double RunningMoments::variance() const {
  return count > 1 ? squares / static_cast<double>(count - 1) : std::numeric_limits<double>::quiet_NaN();
}

SampleDistribution summariseBins(std::span<const std::int64_t> bins, double low, double width,
                                 const RunningMoments& moments) {
  const auto quantile = [&](double q) {
    const double wanted = q * static_cast<double>(moments.count - 1);
    std::int64_t below = 0;
    for (std::size_t bin = 0; bin < bins.size(); ++bin) {
      if (static_cast<double>(below + bins[bin]) > wanted) {
        const double share = (wanted - static_cast<double>(below) + 0.5) / static_cast<double>(bins[bin]);
        return std::clamp(low + (static_cast<double>(bin) + share) * width, moments.minimum, moments.maximum);
      }
      below += bins[bin];
    }
    return moments.maximum;
  };
  SampleDistribution result;
  result.count = moments.count;
  result.fiveNumbers = {moments.minimum, quantile(0.25), quantile(0.5), quantile(0.75), moments.maximum};
  result.mean = moments.mean;
  result.variance = moments.variance();
  return result;
}

}  // namespace fathom
