// SPDX-License-Identifier: Apache-2.0
#include "core/nn/sinusoid_positions.h"

#include <cmath>

namespace fathom {

torch::Tensor sinusoidTable(std::int64_t rows, std::int64_t width, std::int64_t padId,
                            const torch::TensorOptions& tensors) {
  if (tensors.device().is_meta()) return at::empty({rows, width}, tensors);
  const std::int64_t half = width / 2;
  torch::Tensor table = at::zeros({rows, width}, torch::kFloat64);
  auto values = table.accessor<double, 2>();
  const double step = half > 1 ? std::log(10000.0) / static_cast<double>(half - 1) : 0;
  for (std::int64_t position = 0; position < rows; ++position) {
    if (position == padId) continue;
    for (std::int64_t k = 0; k < half; ++k) {
      const double angle = static_cast<double>(position) * std::exp(-static_cast<double>(k) * step);
      values[position][k] = std::sin(angle);
      values[position][half + k] = std::cos(angle);
    }
  }
  return table.to(tensors);
}

torch::Tensor positionIds(const torch::Tensor& tokens, std::int64_t padId) {
  const torch::Tensor real = tokens.ne(padId).to(torch::kInt64);
  return at::cumsum(real, 1).mul_(real).add_(padId);
}

}  // namespace fathom
