// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/attention/attention_jsd.h"

#include <cmath>
#include <numbers>

#include "core/analysis/analysis_entry.h"
#include "core/analysis/attention/attention_distribution.h"

namespace fathom {

namespace {

double plogp(double p) {
  return p == 0 ? 0 : p * std::log(p);
}

template <typename T>
double rowDivergence(std::span<const T> row, std::span<const T> rowBelow) {
  double sum =
      0;  // Σ ½ p ln p + ½ q ln q − m ln m, cell by cell: small differences do not drown in large sums
  for (std::size_t i = 0; i < row.size(); ++i) {
    const auto p = static_cast<double>(row[i]), q = static_cast<double>(rowBelow[i]);
    sum += 0.5 * plogp(p) + 0.5 * plogp(q) - plogp(0.5 * (p + q));
  }
  const double bits = sum / std::numbers::ln2;
  return bits < 0 ? 0 : bits;  // NaN stays NaN
}

}  // namespace

double attentionJsd(std::span<const double> row, std::span<const double> rowBelow) {
  return rowDivergence(row, rowBelow);
}
double attentionJsd(std::span<const float> row, std::span<const float> rowBelow) {
  return rowDivergence(row, rowBelow);
}

AnalysisEntry attentionJsdEntry() {
  return {.id = "attention_jsd",
          .title = "Divergence of attention between layers",
          .reference = "RealFormer, Figure 6",
          .version = 3,  // as attention_entropy
          .takesExamples = true,
          .layers = LayerNumbers{distributionLayers, Phrase::tr("divergence (bits)").english, true}};
}

}  // namespace fathom
