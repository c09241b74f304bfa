// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/text_fields.h"

#include <QtGlobal>

namespace fathom {

OptionField typedField(const char* key, const char* title, const char* help, const char* defaultValue) {
  OptionField field;
  field.key = key;
  field.type = OptionType::Text;
  field.title = title;
  field.help = help;
  field.defaultValue = defaultValue;
  if (*defaultValue == '\0') field.disablingValue = "";
  return field;
}

OptionField checkpointField() {
  return typedField(
      "checkpoint", QT_TRANSLATE_NOOP("Command", "Checkpoint"),
      QT_TRANSLATE_NOOP("Command", "Number of updates, name or init; empty: what was computed last."));
}

}  // namespace fathom
