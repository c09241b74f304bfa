// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/spider/judgement/spider_error_category.h"

namespace fathom {

// DT-Fixup Figures 3 and 4 (docs/error_categories.md §8): wrong examples of several models together.

// Which false negatives leave the count: those of the model itself, or of any model.
enum class FalseNegativeRule { ThatModel, AnyModel };

struct ErrorBar {
  int examples = 0;  // in the set after removal
  int column = 0;    // Column or Both
  int sketch = 0;    // Sketch or Both
  double columnShare() const { return examples == 0 ? 0 : static_cast<double>(column) / examples; }
  double sketchShare() const { return examples == 0 ? 0 : static_cast<double>(sketch) / examples; }
};

// categories[model][example], equally long. "Failing" is any category but Correct, false negatives among
// them.
std::vector<std::size_t> failingInAll(const std::vector<std::vector<ErrorCategory>>& categories);
std::vector<std::size_t> failingInAny(const std::vector<std::vector<ErrorCategory>>& categories);
// One bar per model over the examples of `set`.
std::vector<ErrorBar> errorBars(const std::vector<std::vector<ErrorCategory>>& categories,
                                const std::vector<std::size_t>& set, FalseNegativeRule rule);

}  // namespace fathom
