// SPDX-License-Identifier: Apache-2.0
#include "core/optim/lr_schedule.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/nn/field_builder.h"

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
  bool warmup, initial, minimum, total, power, period;
};

constexpr Schedule kSchedules[] = {
    {"inverse_sqrt", "Inverse square root", inverseSqrt, true, true, false, false, false, false},
    {"constant", "Constant", constantRate, true, true, false, false, false, false},
    {"linear", "Linear", linear, true, true, true, true, false, false},
    {"polynomial_decay", "Polynomial decay", polynomialDecay, true, false, true, true, true, false},
    {"power_decay", "Power decay without warm-up", powerDecay, false, false, true, true, true, false},
    {"inverse_sqrt_nowarmup", "Inverse square root without warm-up", inverseSqrtNoWarmup, false, false, false,
     false, false, true},
    {"bert", "BERT", bert, true, false, false, true, false, false},
    {"dt_fixup", "DT-Fixup", dtFixup, true, false, true, true, true, false}};

const Schedule* findSchedule(const std::string& id) {
  for (const Schedule& schedule : kSchedules) {
    if (id == schedule.id) return &schedule;
  }
  return nullptr;
}

std::vector<Json> schedulesWith(bool Schedule::*uses) {
  std::vector<Json> ids;
  for (const Schedule& schedule : kSchedules) {
    if (schedule.*uses) ids.emplace_back(schedule.id);
  }
  return ids;
}

}  // namespace

bool knownLrSchedule(const std::string& id) {
  return findSchedule(id) != nullptr;
}

double learningRate(const LrScheduleSettings& settings, std::int64_t finishedUpdates) {
  const Schedule* schedule = findSchedule(settings.id);
  if (!schedule) throw Failure(internalError("unknown learning-rate schedule '" + settings.id + "'"));
  return schedule->rate(settings, static_cast<double>(finishedUpdates));
}

Result<LrScheduleSettings> lrScheduleSettings(const OptionValues& options, std::int64_t totalUpdates) {
  LrScheduleSettings settings;
  settings.id = options.text("lr_schedule");
  const Schedule* schedule = findSchedule(settings.id);
  if (!schedule) return usageError(Phrase::tr("unknown learning-rate schedule '%1'")(settings.id));
  settings.rate = options.real("lr_schedule.rate");
  settings.warmup = schedule->warmup ? static_cast<double>(options.integer("lr_schedule.warmup")) : 0;
  settings.initialRate = options.real("lr_schedule.initial");
  settings.minimumRate = options.real("lr_schedule.minimum");
  settings.power = options.real("lr_schedule.power");
  settings.decayPeriod = static_cast<double>(options.integer("lr_schedule.period"));
  const std::int64_t total = options.integer("lr_schedule.total");
  settings.totalUpdates = static_cast<double>(total > 0 ? total : totalUpdates);
  if (schedule->total && settings.totalUpdates <= settings.warmup) {
    Error error =
        usageError(Phrase::tr("lr_schedule=%1 needs a length above the warm-up of %2 updates, it has %3")(
                       settings.id, static_cast<std::int64_t>(settings.warmup),
                       static_cast<std::int64_t>(settings.totalUpdates)),
                   Phrase::tr("set lr_schedule.total, or the length of the run in updates"));
    error.key = "lr_schedule.total";
    return error;
  }
  return settings;
}

std::vector<OptionField> lrScheduleOptionFields() {
  std::vector<OptionChoice> choices;
  for (const Schedule& schedule : kSchedules) choices.push_back({schedule.id, schedule.title});
  const auto field = [](const char* key, OptionType type, Json value) {
    return FieldBuilder(key, type, std::move(value)).reference("fairseq, lr_scheduler").group("Optimiser");
  };
  return {
      field("lr_schedule", OptionType::Choice, choices[0].id)
          .title("Learning-rate schedule")
          .help("How the learning rate changes with the number of finished updates.")
          .choices(choices),
      field("lr_schedule.rate", OptionType::Real, 7e-4).title("Learning rate").help("Peak rate.").above(0),
      field("lr_schedule.warmup", OptionType::Integer, 4000)
          .title("Warm-up")
          .help("Updates in which the rate grows to its peak.")
          .unit("updates")
          .atLeast(0)
          .off(0)
          .when("lr_schedule", schedulesWith(&Schedule::warmup)),
      field("lr_schedule.initial", OptionType::Real, 1e-7)
          .title("Rate at the start")
          .help("Rate of the first update of the warm-up.")
          .atLeast(0)
          .when("lr_schedule", schedulesWith(&Schedule::initial)),
      field("lr_schedule.minimum", OptionType::Real, 1e-9)
          .title("Rate at the end")
          .help("End of the decay. The historical default of -1 made rates negative; it is refused here.")
          .atLeast(0)
          .when("lr_schedule", schedulesWith(&Schedule::minimum)),
      field("lr_schedule.total", OptionType::Integer, 0)
          .title("Length of the decay")
          .help("Updates until the rate is at its end; 0 means the whole run.")
          .unit("updates")
          .atLeast(0)
          .when("lr_schedule", schedulesWith(&Schedule::total)),
      field("lr_schedule.power", OptionType::Real, 1.0)
          .title("Power")
          .help("Exponent of the decay; DT-Fixup uses 0.5.")
          .above(0)
          .when("lr_schedule", schedulesWith(&Schedule::power)),
      field("lr_schedule.period", OptionType::Integer, 4000)
          .title("Decay period")
          .help("P of lr·√(P/(P+t)).")
          .unit("updates")
          .atLeast(1)
          .when("lr_schedule", schedulesWith(&Schedule::period))};
}

std::vector<OptionRule> lrScheduleOptionRules() {
  OptionRule above;
  above.when = {{"lr_schedule.minimum", OptionClause::Test::AtLeast, {Json{{"key", "lr_schedule.rate"}}}},
                {"lr_schedule", OptionClause::Test::In, schedulesWith(&Schedule::minimum)}};
  above.reason = "the rate at the end of the decay must be below the peak rate";
  above.keys = {"lr_schedule.minimum", "lr_schedule.rate"};
  // Known at once where the length is given in updates; otherwise lrScheduleSettings() tells.
  const OptionClause warms{"lr_schedule", OptionClause::Test::In, schedulesWith(&Schedule::warmup)};
  const OptionClause ends{"lr_schedule", OptionClause::Test::In, schedulesWith(&Schedule::total)};
  const Json warmup{{"key", "lr_schedule.warmup"}};
  OptionRule shortRun;
  shortRun.when = {warms,
                   ends,
                   {"lr_schedule.total", OptionClause::Test::AtMost, {0}},
                   {"training.length", OptionClause::Test::AtMost, {warmup}}};
  shortRun.reason = "the run must be longer than the warm-up, or nothing is left for the decay";
  shortRun.keys = {"training.length", "lr_schedule.warmup"};
  OptionRule shortDecay;
  shortDecay.when = {warms,
                     ends,
                     {"lr_schedule.total", OptionClause::Test::AtLeast, {1}},
                     {"lr_schedule.total", OptionClause::Test::AtMost, {warmup}}};
  shortDecay.reason = "the decay must end after the warm-up";
  shortDecay.keys = {"lr_schedule.total", "lr_schedule.warmup"};
  return {above, shortRun, shortDecay};
}

}  // namespace fathom
