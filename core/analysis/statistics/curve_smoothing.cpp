// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/statistics/curve_smoothing.h"

#include <algorithm>
#include <cmath>

namespace fathom {

CurveSmoother::CurveSmoother(double weight) : m_weight(std::clamp(weight, 0.0, 1.0)) {}

double CurveSmoother::next(double value) {
  if (!std::isfinite(value)) return value;
  if (!m_started) {
    m_started = true;
    m_first = value;
  }
  m_constant = m_constant && value == m_first;
  m_last = m_weight * m_last + (1 - m_weight) * value;
  m_power *= m_weight;
  if (m_constant) return value;
  return m_weight == 1 ? m_last : m_last / (1 - m_power);
}

std::vector<double> smoothCurve(std::span<const double> values, double weight) {
  const auto differs = [&values](double value) { return value != values.front(); };
  if (values.empty() || std::none_of(values.begin(), values.end(), differs))
    return {values.begin(), values.end()};
  const double w = std::clamp(weight, 0.0, 1.0);
  std::vector<double> result;
  result.reserve(values.size());
  double last = 0;
  double power = 1;
  for (const double value : values) {
    if (!std::isfinite(value)) {
      result.push_back(value);
      continue;
    }
    last = w * last + (1 - w) * value;
    power *= w;
    result.push_back(w == 1 ? last : last / (1 - power));
  }
  return result;
}

}  // namespace fathom
