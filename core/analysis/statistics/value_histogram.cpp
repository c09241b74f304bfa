// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/statistics/value_histogram.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fathom {

ValueHistogram::ValueHistogram(double low, double high, int bins, std::size_t exactCap)
    : m_low(low),
      m_high(std::max(high, low + 1e-12)),
      m_bins(static_cast<std::size_t>(bins)),
      m_cap(exactCap) {}

void ValueHistogram::add(double value) {
  if (!std::isfinite(value)) {
    ++m_nonFinite;
    return;
  }
  m_moments.add(value);
  if (!exact()) {
    ++m_counts[binOf(value)];
    return;
  }
  m_samples.push_back(value);
  if (m_samples.size() > m_cap) toBins();
}

std::size_t ValueHistogram::binOf(double value) const {
  const double at = (value - m_low) / (m_high - m_low) * static_cast<double>(m_bins);
  return static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(m_bins - 1)));
}

void ValueHistogram::toBins() {
  m_counts.assign(m_bins, 0);
  for (const double value : m_samples) ++m_counts[binOf(value)];
  m_samples.clear();
  m_samples.shrink_to_fit();
}

SampleDistribution ValueHistogram::summary() const {
  if (exact()) {
    SampleDistribution result = summariseSamples(m_samples);
    result.nonFinite = m_nonFinite;
    return result;
  }
  SampleDistribution result =
      summariseBins(m_counts, m_low, (m_high - m_low) / static_cast<double>(m_bins), m_moments);
  result.nonFinite = m_nonFinite;
  return result;
}

ViolinShape ValueHistogram::violin(int points) const {
  if (exact()) return violinShape(m_samples, points);
  ViolinShape shape;
  const double variance = m_moments.variance();
  if (!(variance > 0)) return shape;
  const auto n = static_cast<double>(m_moments.count);
  shape.bandwidth = std::pow(n, -0.2) * std::sqrt(variance);
  const double scale = 1 / (n * shape.bandwidth * std::sqrt(2 * std::numbers::pi));
  const double width = (m_high - m_low) / static_cast<double>(m_bins);
  for (int i = 0; i < points; ++i) {
    const double x = m_moments.minimum + (m_moments.maximum - m_moments.minimum) * i / (points - 1);
    double sum = 0;
    for (std::size_t bin = 0; bin < m_bins; ++bin) {
      if (m_counts[bin] == 0) continue;
      const double u = (x - (m_low + (static_cast<double>(bin) + 0.5) * width)) / shape.bandwidth;
      sum += static_cast<double>(m_counts[bin]) * std::exp(-0.5 * u * u);
    }
    shape.grid.push_back(x);
    shape.density.push_back(sum * scale);
  }
  return shape;
}

}  // namespace fathom
