// SPDX-License-Identifier: Apache-2.0
#include "core/base/choice_field.h"

#include <utility>

namespace fathom {

OptionField choiceField(const char* key, const char* title, const char* help,
                        std::vector<OptionChoice> choices) {
  OptionField field;
  field.key = key;
  field.type = OptionType::Choice;
  field.title = title;
  field.help = help;
  field.defaultValue = choices.at(0).id;
  field.choices = std::move(choices);
  return field;
}

}  // namespace fathom
