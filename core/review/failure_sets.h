// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fathom {

// Examples that exactly these models fail, for Venn diagrams and UpSet plots.
struct FailureIntersection {
  std::uint32_t models = 0;  // bit m = model m
  std::vector<std::size_t> examples;
};
// Every combination that occurs, the one of no model left out; most examples first, then by the bits. At most
// 32 models. categories[model][example] of ReviewKind::categories, equally long; any but the first is a
// failure.
std::vector<FailureIntersection> failureIntersections(
    const std::vector<std::vector<std::uint8_t>>& categories);

}  // namespace fathom
