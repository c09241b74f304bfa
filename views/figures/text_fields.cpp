// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/text_fields.h"

#include "core/base/options/field_builder.h"

namespace fathom {

OptionField typedField(const char* key, const char* title, const char* help, const char* defaultValue) {
  FieldBuilder field = textField(key, title, help, defaultValue);
  return *defaultValue == '\0' ? field.off("") : field;
}

OptionField checkpointField() {
  return typedField("checkpoint", "Checkpoint",
                    "Number of updates, name or init; empty: what was computed last.");
}

}  // namespace fathom
