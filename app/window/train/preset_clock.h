// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>

#include "core/base/options/option_field.h"
#include "views/panels/form/preset_list.h"
#include "views/tables/run_item.h"

namespace fathom {

class PresetTimes;
struct Preset;

// The time that a preset carries with it, measured on two cores, or "≈" where nobody has timed it; "GPU"
// where that is no matter of minutes. Nothing is said of a person's own.
void tellShippedTime(PresetEntry& entry, const Preset& preset, bool own);
// Times that were measured here come before those: of runs of these presets that the project has finished on
// this machine with the options of the preset, else of dry runs. The tool tip says which it was.
void tellMeasuredTimes(QVector<PresetEntry>& entries, const QVector<RunItem>& runs, const PresetTimes& times,
                       const OptionSchema& schema);
// What PresetTimes keeps the time of a preset by.
Json timedOptions(const PresetEntry& entry);

}  // namespace fathom
