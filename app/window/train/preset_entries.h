// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>

#include "core/base/options/option_field.h"
#include "views/panels/form/preset_list.h"

namespace fathom {

// The presets that this engine has all options for, grouped: a person's own, by purpose (quick, sample), by
// paper.
QVector<PresetEntry> presetEntries(const OptionSchema& schema, std::optional<Error>* problem);
// The options that decide what a run is, in the order of the form: data, task, schemes, depths, width,
// length, seed.
QStringList essentialOptions(const OptionValues& values);

}  // namespace fathom
