// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/train/preset_clock.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "app/runs/preset_times.h"
#include "app/runs/training_grid.h"
#include "core/analysis/training/grid_preset.h"
#include "core/base/options/axis_keys.h"
#include "core/record/presets.h"
#include "views/look/engine_text.h"

namespace fathom {

namespace {

QString clockWords(const char* text) {
  return QCoreApplication::translate("PresetClock", text);
}

// "1 min", "20 min", "2 h", "9 days".
QString timeBadge(double minutes) {
  constexpr double kHour = 60, kInHours = 90, kDay = 24 * kHour, kInDays = 3 * kDay;
  const double unit = minutes < kInHours ? 1 : minutes < kInDays ? kHour : kDay;
  const int whole = std::max(1, qRound(minutes / unit));
  return (minutes < kInHours  ? clockWords(QT_TRANSLATE_NOOP("PresetClock", "%1 min"))
          : minutes < kInDays ? clockWords(QT_TRANSLATE_NOOP("PresetClock", "%1 h"))
                              : clockWords(QT_TRANSLATE_NOOP("PresetClock", "%1 days")))
      .arg(whole);
}

void tellTime(PresetEntry& entry, const QString& badge, const QString& tip) {
  if (!entry.time.isEmpty()) entry.badges.removeFirst();
  entry.badges.prepend(badge);
  entry.time = badge;
  entry.timeTip = tip;
}

// Keys that the axes of a grid set.
std::set<std::string> keysOf(const std::vector<GridAxis>& axes) {
  std::set<std::string> keys;
  for (const GridAxis& axis : axes) {
    for (const std::string& key : axisKeys(axis.key)) keys.insert(key);
    for (const Json& value : axis.values)
      if (value.is_object() && value.contains("options") && value["options"].is_object())
        for (const auto& [key, set] : value["options"].items()) keys.insert(key);
  }
  return keys;
}

// The run has the options of the preset; files, seed and device are its own.
bool trainedAs(const RunItem& run, const PresetEntry& entry, const OptionSchema& schema,
               const std::set<std::string>& varied) {
  const Json& options = entry.config.options;
  for (const SharedOption* option : run.config.all()) {
    const OptionField* field = schema.find(option->key);
    if (field == nullptr || !option->setsApart || field->type == OptionType::Path ||
        varied.contains(option->key))
      continue;
    const auto said = options.find(option->key);
    if (option->value != (said == options.end() ? field->defaultValue : *said)) return false;
  }
  return !run.config.empty();
}

bool trainedHere(const RunItem& run) {
  return run.state == RunState::Finished && run.durationSeconds > 0 && run.origin.isEmpty() &&
         run.job.place.isEmpty();
}

struct TimedRuns {
  double seconds = 0;  // of all of them
  int count = 0;
  QString name;  // of the last one
};

TimedRuns runsOf(const PresetEntry& entry, const QVector<RunItem>& runs, const OptionSchema& schema,
                 const std::vector<GridAxis>& axes) {
  const std::set<std::string> varied = keysOf(axes);
  TimedRuns found;
  QDateTime last;
  for (const RunItem& run : runs) {
    if (run.preset != entry.id || !trainedHere(run) || !trainedAs(run, entry, schema, varied)) continue;
    found.seconds += run.durationSeconds;
    ++found.count;
    if (last.isValid() && run.created < last) continue;
    last = run.created;
    found.name = run.name;
  }
  return found;
}

void tellRuns(PresetEntry& entry, const TimedRuns& of, std::size_t members) {
  const double each = of.seconds / of.count;
  const QString one = durationText(each);
  const QString tip =
      members > 1
          ? clockWords(QT_TRANSLATE_NOOP("PresetClock",
                                         "Measured: runs of it in this project took %1 each, and it has %2."))
                .arg(one)
                .arg(members)
      : of.count > 1 ? clockWords(QT_TRANSLATE_NOOP("PresetClock",
                                                    "Measured: %1 runs of it in this project took %2 each."))
                           .arg(of.count)
                           .arg(one)
                     : clockWords(QT_TRANSLATE_NOOP("PresetClock", "Measured: “%1” of this project took %2."))
                           .arg(of.name, one);
  tellTime(entry, timeBadge(each * static_cast<double>(members) / 60), tip);
}

std::size_t membersOf(const std::vector<GridAxis>& axes) {
  std::size_t members = 1;
  for (const GridAxis& axis : axes) members *= axis.values.size();
  return members;
}

}  // namespace

void tellShippedTime(PresetEntry& entry, const Preset& preset, bool own) {
  if (preset.minutes > 0) {
    const QString badge = timeBadge(preset.minutes);
    if (preset.timed)
      tellTime(entry, badge,
               clockWords(QT_TRANSLATE_NOOP("PresetClock", "Measured on two cores of an Intel Xeon.")));
    else
      tellTime(
          entry, QStringLiteral("≈ ") + badge,
          clockWords(QT_TRANSLATE_NOOP(
              "PresetClock", "Worked out by the size of the model for two cores; nobody has timed it.")));
  } else if (!own) {
    tellTime(entry, clockWords(QT_TRANSLATE_NOOP("PresetClock", "GPU")),
             clockWords(QT_TRANSLATE_NOOP("PresetClock",
                                          "Made for a graphics card: not a matter of minutes on "
                                          "processors.")));
  }
}

Json timedOptions(const PresetEntry& entry) {
  return {{"options", entry.config.options}, {"axes", gridAxesToJson(gridPreset(toUtf8(entry.id)).axes)}};
}

void tellMeasuredTimes(QVector<PresetEntry>& entries, const QVector<RunItem>& runs, const PresetTimes& times,
                       const OptionSchema& schema) {
  for (PresetEntry& entry : entries) {
    const std::vector<GridAxis> axes = gridPreset(toUtf8(entry.id)).axes;
    if (const TimedRuns found = runsOf(entry, runs, schema, axes); found.count > 0) {
      tellRuns(entry, found, membersOf(axes));
    } else if (const PresetTime* time = times.find(toUtf8(entry.id), timedOptions(entry))) {
      const QDate day = QDateTime::fromString(fromUtf8(time->at), Qt::ISODateWithMs).toLocalTime().date();
      tellTime(entry, timeBadge(time->seconds / 60),
               clockWords(QT_TRANSLATE_NOOP("PresetClock", "Measured on this machine, by a dry run of %1."))
                   .arg(QLocale().toString(day, QLocale::ShortFormat)));
    }
  }
}

}  // namespace fathom
