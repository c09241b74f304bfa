// SPDX-License-Identifier: Apache-2.0
#include "core/train/state/planned_updates.h"

#include <algorithm>
#include <cmath>

#include "core/train/state/data_cursor.h"

namespace fathom {

namespace {

double unitsOfEpoch(const Task& task) {
  double units = 0;
  for (std::int64_t i = 0; i < task.batchCount(DataSplit::Train); ++i)
    units += static_cast<double>(task.batchTargetUnits(DataSplit::Train, i));
  return std::max(units, 1.0);
}

// Updates as a fraction: the length in this unit.
double updatesIn(const Task& task, const TrainSettings& settings, const TrainingTime& time) {
  const auto perEpoch = static_cast<double>(
      updatesPerEpoch(task.batchCount(DataSplit::Train), settings.accumulation, settings.leftOver));
  switch (time.unit) {
    case TrainingTime::Unit::Updates:
      return time.amount;
    case TrainingTime::Unit::Epochs:
      return time.amount * perEpoch;
    case TrainingTime::Unit::TargetTokens:
      break;
  }
  return time.amount / unitsOfEpoch(task) * perEpoch;
}

}  // namespace

std::int64_t plannedUpdatesOf(const Task& task, const TrainSettings& settings) {
  return static_cast<std::int64_t>(std::ceil(updatesIn(task, settings, settings.length)));
}

std::int64_t timesWithin(const Task& task, const TrainSettings& settings, const TrainingTime& interval,
                         std::int64_t updates) {
  if (interval.never()) return 0;
  const double every = std::max(1.0, updatesIn(task, settings, interval));
  return static_cast<std::int64_t>(static_cast<double>(updates) / every);
}

}  // namespace fathom
