// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/size_fields.h"

#include <utility>

#include "core/base/numbers/figure_limits.h"
#include "core/base/options/field_builder.h"

namespace fathom {

std::vector<OptionField> sizeFields(const char* heightHelp) {
  std::vector<OptionField> fields;
  for (const auto& [key, title] : {std::pair{"width", "Width"}, std::pair{"height", "Height"}}) {
    fields.push_back(realField(key, title, heightHelp, 0).between(0, kLargestFigureMm).unit("mm").off(0.0));
  }
  return fields;
}

}  // namespace fathom
