// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/statistics/curve_pyramid.h"

#include <algorithm>
#include <cmath>

namespace fathom {

void CurveBlock::add(double value) {
  if (std::isfinite(value)) {
    minimum = finite == 0 ? value : std::min(minimum, value);
    maximum = finite == 0 ? value : std::max(maximum, value);
    ++finite;
  } else if (std::isnan(value)) {
    ++nan;
  } else if (value > 0) {
    ++plusInfinity;
  } else {
    ++minusInfinity;
  }
}

void CurveBlock::add(const CurveBlock& block) {
  if (block.finite > 0) {
    minimum = finite == 0 ? block.minimum : std::min(minimum, block.minimum);
    maximum = finite == 0 ? block.maximum : std::max(maximum, block.maximum);
    finite += block.finite;
  }
  nan += block.nan;
  plusInfinity += block.plusInfinity;
  minusInfinity += block.minusInfinity;
}

void CurvePyramid::append(double value) {
  m_values.push_back(value);
  if (m_values.size() % kFan == 0) seal();
}

void CurvePyramid::append(std::span<const double> values) {
  for (const double value : values) append(value);
}

void CurvePyramid::clear() {
  m_values.clear();
  m_levels.clear();
}

// Called when the number of points is a multiple of kFan: completes one block of level 0, and of every level
// above that became whole by it.
void CurvePyramid::seal() {
  CurveBlock block;
  for (std::size_t i = m_values.size() - kFan; i < m_values.size(); ++i) block.add(m_values[i]);
  for (std::size_t level = 0;; ++level) {
    if (level == m_levels.size()) m_levels.emplace_back();
    m_levels[level].push_back(block);
    const std::vector<CurveBlock>& row = m_levels[level];
    if (row.size() % kFan != 0) return;
    block = CurveBlock{};
    for (std::size_t i = row.size() - kFan; i < row.size(); ++i) block.add(row[i]);
  }
}

CurveBlock CurvePyramid::query(std::size_t first, std::size_t end) const {
  CurveBlock result;
  end = std::min(end, m_values.size());
  while (first < end) {
    // The largest whole block that starts here and does not reach past the end.
    std::size_t level = 0;
    std::size_t span = 1;
    while (level < m_levels.size() && first % (span * kFan) == 0 && first + span * kFan <= end &&
           first / (span * kFan) < m_levels[level].size()) {
      span *= kFan;
      ++level;
    }
    if (level == 0) {
      result.add(m_values[first]);
    } else {
      result.add(m_levels[level - 1][first / span]);
    }
    first += span;
  }
  return result;
}

}  // namespace fathom
