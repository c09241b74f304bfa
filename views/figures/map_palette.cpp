// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/map_palette.h"

#include <QtGlobal>

#include "core/base/field_builder.h"

namespace fathom {

OptionField mapPaletteField() {
  return choiceField(
      "palette", QT_TRANSLATE_NOOP("Command", "Palette"),
      QT_TRANSLATE_NOOP("Command", "Colours of maps; cividis looks nearly alike to colour-blind readers."),
      {{"viridis", QT_TRANSLATE_NOOP("Command", "viridis")},
       {"cividis", QT_TRANSLATE_NOOP("Command", "cividis")}});
}

}  // namespace fathom
