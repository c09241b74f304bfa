// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/place_field.h"

#include "app/runner/place_record.h"
#include "core/base/options/field_builder.h"
#include "core/library/queue/queue_folder.h"

namespace fathom {

OptionField placeField() {
  return textField("place", "Place", "Where it is started: a name that 'fathom places' lists.", kLocalPlace);
}

Result<AskedPlace> askedPlace(const std::string& project, const OptionValues& options) {
  FATHOM_TRY(const PlaceRecord record, findPlace(project, options.text("place")));
  return AskedPlace{record.id, record.launcher == kLocalPlace};
}

}  // namespace fathom
