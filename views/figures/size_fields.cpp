// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/size_fields.h"

#include <QtGlobal>
#include <utility>

namespace fathom {

std::vector<OptionField> sizeFields(const char* heightHelp) {
  std::vector<OptionField> fields;
  for (const auto& [key, title] : {std::pair{"width", QT_TRANSLATE_NOOP("Command", "Width")},
                                   std::pair{"height", QT_TRANSLATE_NOOP("Command", "Height")}}) {
    OptionField field;
    field.key = key;
    field.type = OptionType::Real;
    field.unit = "mm";
    field.title = title;
    field.help = heightHelp;
    field.defaultValue = 0.0;
    field.disablingValue = 0.0;
    field.minimum = 0;
    field.maximum = 2000;
    fields.push_back(std::move(field));
  }
  return fields;
}

}  // namespace fathom
