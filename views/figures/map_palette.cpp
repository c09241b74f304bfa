// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/map_palette.h"

#include "core/base/options/field_builder.h"

namespace fathom {

OptionField mapPaletteField() {
  return choiceField("palette", "Palette",
                     "Colours of maps; cividis looks nearly alike to colour-blind readers.",
                     {{"viridis", "viridis"}, {"cividis", "cividis"}});
}

}  // namespace fathom
