// SPDX-License-Identifier: Apache-2.0
#include "core/review/gold_layout.h"

#include "core/review/gold_options.h"

namespace fathom {

const GoldLayout* goldLayoutOf(std::string_view kind, std::string_view head) {
  for (const GoldLayout& layout : goldLayouts())
    if (layout.kind == kind && layout.holds(head)) return &layout;
  return nullptr;
}

Result<ReviewGold> readLayout(const GoldLayout& layout, const ReviewSources& sources) {
  FATHOM_TRY(ReviewGold gold, layout.read(sources.gold, skipsBadGold(sources)));
  gold.layout = &layout;
  return gold;
}

}  // namespace fathom
