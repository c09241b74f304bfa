// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace fathom {

// Summary of a stretch of a series. NaN and infinities never enter minimum and maximum (an axis cannot show
// them); they are counted, so that a view can mark them. Without a finite point minimum and maximum are NaN.
struct CurveBlock {
  double minimum = std::numeric_limits<double>::quiet_NaN();
  double maximum = std::numeric_limits<double>::quiet_NaN();
  std::uint32_t finite = 0;
  std::uint32_t nan = 0;
  std::uint32_t plusInfinity = 0;
  std::uint32_t minusInfinity = 0;

  void add(double value);
  void add(const CurveBlock& block);
  std::uint64_t nonFinite() const { return std::uint64_t{nan} + plusInfinity + minusInfinity; }
};

// A series with a min/max pyramid over it (blocks of 16, 256, 4096, ... points): appending is O(1) amortised,
// a query over any stretch touches at most 30 entries per level. Up to 2^32 points.
class CurvePyramid {
 public:
  static constexpr std::size_t kFan = 16;

  void append(double value);
  void append(std::span<const double> values);
  void clear();
  std::size_t size() const { return m_values.size(); }
  std::span<const double> values() const { return m_values; }

  // Exactly the points first ... end-1 (clamped to the series).
  CurveBlock query(std::size_t first, std::size_t end) const;

 private:
  void seal();
  std::vector<double> m_values;
  std::vector<std::vector<CurveBlock>> m_levels;  // m_levels[l]: whole blocks of kFan^(l+1) points
};

}  // namespace fathom
