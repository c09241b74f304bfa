// SPDX-License-Identifier: Apache-2.0
#include "core/optim/lr_schedule.h"

#include <algorithm>
#include <cmath>

#include "core/base/errors/error.h"
#include "core/base/errors/error_key.h"
#include "core/base/options/entry_table.h"
#include "core/base/options/field_builder.h"

namespace fathom {

namespace {

double constantRate(const LrScheduleSettings& s, double t) {
  return t < s.warmup ? s.initialRate + t * (s.rate - s.initialRate) / s.warmup : s.rate;
}

double inverseSqrt(const LrScheduleSettings& s, double t) {
  if (t < s.warmup) return s.initialRate + t * ((s.rate - s.initialRate) / s.warmup);
  return s.rate * std::sqrt(std::max(s.warmup, 1.0)) / std::sqrt(std::max(t, 1.0));
}

double linear(const LrScheduleSettings& s, double t) {
  if (t < s.warmup) return s.initialRate + t * (s.rate - s.initialRate) / s.warmup;
  return (s.rate - s.minimumRate) * (1 - (t - s.warmup) / (s.totalUpdates - s.warmup)) + s.minimumRate;
}

double polynomialDecay(const LrScheduleSettings& s, double t) {
  if (s.warmup > 0 && t <= s.warmup) return s.rate * t / s.warmup;
  if (t >= s.totalUpdates) return s.minimumRate;
  const double left = 1 - (t - s.warmup) / (s.totalUpdates - s.warmup);
  return (s.rate - s.minimumRate) * std::pow(left, s.power) + s.minimumRate;
}

// The plug-in of the released code: no warm-up, no clamp.
double powerDecay(const LrScheduleSettings& s, double t) {
  return (s.rate - s.minimumRate) * std::pow(1 - t / s.totalUpdates, s.power) + s.minimumRate;
}

double inverseSqrtNoWarmup(const LrScheduleSettings& s, double t) {
  return s.rate * std::sqrt(s.decayPeriod / (s.decayPeriod + t));
}

// The decay runs from step 0, so the rate falls by lr w/S where the warm-up ends.
double bert(const LrScheduleSettings& s, double t) {
  if (t < s.warmup) return s.rate * t / s.warmup;
  return s.rate * (1 - std::min(t, s.totalUpdates) / s.totalUpdates);
}

// docs/schedules.md §1: the counter is raised before the rate is read, so the first update uses 1; the floor
// acts after the warm-up only.
double dtFixup(const LrScheduleSettings& s, double t) {
  const double counter = t + 1;
  if (counter <= s.warmup) return s.rate * std::min(1.0, counter / s.warmup);
  const double done = std::min(1.0, (counter - s.warmup) / (s.totalUpdates - s.warmup));
  return std::max(s.minimumRate, s.rate * std::pow(1 - done, s.power));
}

struct Schedule {
  const char* id;
  const char* title;
  double (*rate)(const LrScheduleSettings&, double);
  bool warmup = false, initial = false, minimum = false, total = false, power = false, period = false;
};

constexpr Schedule kSchedules[] = {
    {.id = "inverse_sqrt",
     .title = "Inverse square root",
     .rate = inverseSqrt,
     .warmup = true,
     .initial = true},
    {.id = "constant", .title = "Constant", .rate = constantRate, .warmup = true, .initial = true},
    {.id = "linear",
     .title = "Linear",
     .rate = linear,
     .warmup = true,
     .initial = true,
     .minimum = true,
     .total = true},
    {.id = "polynomial_decay",
     .title = "Polynomial decay",
     .rate = polynomialDecay,
     .warmup = true,
     .minimum = true,
     .total = true,
     .power = true},
    {.id = "power_decay",
     .title = "Power decay without warm-up",
     .rate = powerDecay,
     .minimum = true,
     .total = true,
     .power = true},
    {.id = "inverse_sqrt_nowarmup",
     .title = "Inverse square root without warm-up",
     .rate = inverseSqrtNoWarmup,
     .period = true},
    {.id = "bert", .title = "BERT", .rate = bert, .warmup = true, .total = true},
    {.id = "dt_fixup",
     .title = "DT-Fixup",
     .rate = dtFixup,
     .warmup = true,
     .minimum = true,
     .total = true,
     .power = true}};

std::vector<Json> schedulesWith(bool Schedule::*uses) {
  std::vector<Json> ids;
  for (const Schedule& schedule : kSchedules) {
    if (schedule.*uses) ids.emplace_back(schedule.id);
  }
  return ids;
}

}  // namespace

bool knownLrSchedule(const std::string& id) {
  return findEntry(kSchedules, id) != nullptr;
}

double learningRate(const LrScheduleSettings& settings, std::int64_t finishedUpdates) {
  const Schedule* schedule = findEntry(kSchedules, settings.id);
  if (!schedule) throw Failure(internalError("unknown learning-rate schedule '" + settings.id + "'"));
  return schedule->rate(settings, static_cast<double>(finishedUpdates));
}

Result<LrScheduleSettings> lrScheduleSettings(const OptionValues& options, std::int64_t totalUpdates) {
  LrScheduleSettings settings;
  settings.id = options.text("lr_schedule");
  const Schedule* schedule = findEntry(kSchedules, settings.id);
  if (!schedule) return usageError(Phrase::tr("unknown learning-rate schedule '%1'")(settings.id));
  settings.rate = options.real("lr_schedule.rate");
  settings.warmup = schedule->warmup ? static_cast<double>(options.integer("lr_schedule.warmup")) : 0;
  settings.initialRate = options.real("lr_schedule.initial");
  settings.minimumRate = options.real("lr_schedule.minimum");
  settings.power = options.real("lr_schedule.power");
  settings.decayPeriod = static_cast<double>(options.integer("lr_schedule.period"));
  const std::int64_t total = options.integer("lr_schedule.total");
  settings.totalUpdates = static_cast<double>(total > 0 ? total : totalUpdates);
  if (schedule->warmup && options.active("lr_schedule.warmup_share"))
    settings.warmup = std::floor(options.real("lr_schedule.warmup_share") * settings.totalUpdates);
  if (schedule->total && settings.totalUpdates <= settings.warmup) {
    return aboutKey(
        "lr_schedule.total",
        usageError(Phrase::tr("lr_schedule=%1 needs a length above the warm-up of %2 updates, it has %3")(
                       settings.id, static_cast<std::int64_t>(settings.warmup),
                       static_cast<std::int64_t>(settings.totalUpdates)),
                   Phrase::tr("set lr_schedule.total, or the length of the run in updates")));
  }
  return settings;
}

std::vector<OptionField> lrScheduleOptionFields() {
  const char* schedule = "lr_schedule";
  return fromPaper(
      "fairseq, lr_scheduler",
      {choiceField(schedule, "Learning-rate schedule",
                   "How the learning rate changes with the number of finished updates.",
                   entryChoices(kSchedules)),
       realField("lr_schedule.rate", "Learning rate", "Peak rate.", 7e-4).above(0),
       integerField("lr_schedule.warmup", "Warm-up", "Updates in which the rate grows to its peak.", 4000)
           .unit("updates")
           .atLeast(0)
           .off(0)
           .when(schedule, schedulesWith(&Schedule::warmup)),
       realField("lr_schedule.warmup_share", "Warm-up as a share",
                 "Share of the whole run in which the rate grows, where no number of updates is set; BERT "
                 "fine-tunes with 0.1.",
                 0.0)
           .atLeast(0)
           .below(1)
           .off(0.0)
           .when(schedule, schedulesWith(&Schedule::warmup))
           .when("lr_schedule.warmup", {0})
           .reference("BERT, run_classifier"),
       realField("lr_schedule.initial", "Rate at the start", "Rate of the first update of the warm-up.", 1e-7)
           .atLeast(0)
           .when(schedule, schedulesWith(&Schedule::initial)),
       realField("lr_schedule.minimum", "Rate at the end",
                 "End of the decay. The historical default of -1 made rates negative; it is refused here.",
                 1e-9)
           .atLeast(0)
           .when(schedule, schedulesWith(&Schedule::minimum)),
       integerField("lr_schedule.total", "Length of the decay",
                    "Updates until the rate is at its end; 0 means the whole run.", 0)
           .unit("updates")
           .atLeast(0)
           .when(schedule, schedulesWith(&Schedule::total)),
       realField("lr_schedule.power", "Power", "Exponent of the decay; DT-Fixup uses 0.5.", 1)
           .above(0)
           .when(schedule, schedulesWith(&Schedule::power)),
       integerField("lr_schedule.period", "Decay period", "P of lr·√(P/(P+t)).", 4000)
           .unit("updates")
           .atLeast(1)
           .when(schedule, schedulesWith(&Schedule::period))});
}

std::vector<OptionRule> lrScheduleOptionRules() {
  // Known at once where the length is given in updates; otherwise lrScheduleSettings() tells.
  const OptionClause warms{"lr_schedule", OptionClause::Test::In, schedulesWith(&Schedule::warmup)};
  const OptionClause ends{"lr_schedule", OptionClause::Test::In, schedulesWith(&Schedule::total)};
  const Json warmup{{"key", "lr_schedule.warmup"}};
  return {{.when = {{"lr_schedule.minimum", OptionClause::Test::AtLeast, {Json{{"key", "lr_schedule.rate"}}}},
                    {"lr_schedule", OptionClause::Test::In, schedulesWith(&Schedule::minimum)}},
           .reason = "the rate at the end of the decay must be below the peak rate",
           .keys = {"lr_schedule.minimum", "lr_schedule.rate"}},
          {.when = {warms,
                    ends,
                    {"lr_schedule.total", OptionClause::Test::AtMost, {0}},
                    {"training.length", OptionClause::Test::AtMost, {warmup}}},
           .reason = "the run must be longer than the warm-up, or nothing is left for the decay",
           .keys = {"training.length", "lr_schedule.warmup"}},
          {.when = {warms,
                    ends,
                    {"lr_schedule.total", OptionClause::Test::AtLeast, {1}},
                    {"lr_schedule.total", OptionClause::Test::AtMost, {warmup}}},
           .reason = "the decay must end after the warm-up",
           .keys = {"lr_schedule.total", "lr_schedule.warmup"}}};
}

}  // namespace fathom
