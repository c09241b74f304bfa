// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/options/option_field.h"

namespace fathom {

// Numbers a schedule may read (docs/schedules.md). Times are in updates.
struct LrScheduleSettings {
  std::string id = "inverse_sqrt";
  double rate = 7e-4;       // peak learning rate
  double warmup = 0;        // updates
  double initialRate = 0;   // at t = 0 of the warm-up
  double minimumRate = 0;   // linear, power_decay, dt_fixup: end of the decay / floor
  double totalUpdates = 0;  // linear, polynomial_decay, power_decay, bert, dt_fixup: length of the decay
  double power = 1;
  double decayPeriod = 4000;  // inverse_sqrt_nowarmup
};

// Learning rate after `finishedUpdates` updates: update number n (from 1) uses learningRate(settings, n - 1),
// as in the released trainers. `dt_fixup` counts from 1 inside (its first update uses it = 1).
double learningRate(const LrScheduleSettings& settings, std::int64_t finishedUpdates);

bool knownLrSchedule(const std::string& id);

// From the options. `totalUpdates`: planned length of the run, used where `lr_schedule.total` is 0 ("whole
// run").
Result<LrScheduleSettings> lrScheduleSettings(const OptionValues& options, std::int64_t totalUpdates);

std::vector<OptionField> lrScheduleOptionFields();
std::vector<OptionRule> lrScheduleOptionRules();

}  // namespace fathom
