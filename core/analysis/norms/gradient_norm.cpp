// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/norms/gradient_norm.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/analysis/analysis_entry.h"
#include "core/analysis/norms/sublayer_norms.h"

namespace fathom {

namespace {
// NaN when there is nothing to divide by.
double largestFinite(std::span<const double> values, std::size_t first, std::size_t step) {
  double largest = 0;
  for (std::size_t i = first; i < values.size(); i += step) {
    if (std::isfinite(values[i])) largest = std::max(largest, values[i]);
  }
  return largest > 0 ? largest : std::numeric_limits<double>::quiet_NaN();
}
}  // namespace

std::vector<double> relativeToLargest(std::span<const double> norms) {
  const double largest = largestFinite(norms, 0, 1);
  std::vector<double> result;
  for (const double norm : norms) result.push_back(norm / largest);
  return result;
}

std::vector<double> relativeEpochNorms(std::span<const double> norms, std::int64_t kinds,
                                       NormReference reference) {
  if (reference == NormReference::Network) return relativeToLargest(norms);
  const auto count = static_cast<std::size_t>(kinds);
  std::vector<double> largest;
  for (std::size_t kind = 0; kind < count; ++kind) largest.push_back(largestFinite(norms, kind, count));
  std::vector<double> result;
  for (std::size_t i = 0; i < norms.size(); ++i) result.push_back(norms[i] / largest[i % count]);
  return result;
}

AnalysisEntry gradientNormEntry() {
  return {.id = "gradient_norm",
          .title = "Gradient norms of sub-layers",
          .reference = "Admin, Figure 3",
          .version = 2,
          .layers = LayerNumbers{gradientLayers, Phrase::tr("relative gradient norm").english, false, true}};
}

}  // namespace fathom
