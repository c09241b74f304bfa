// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/errors/result.h"

namespace fathom {

// Training time is spoken in one type: "300u" updates, "10e" epochs, "20Mt" target tokens (k, M, G allowed
// before any unit; a bare number means updates; "0" or "never" is the disabling value).
struct TrainingTime {
  enum class Unit { Updates, Epochs, TargetTokens };
  double amount = 0;
  Unit unit = Unit::Updates;

  bool never() const { return amount <= 0; }
  bool operator==(const TrainingTime&) const = default;
  std::string text() const;  // canonical: parse(text()) == *this
};

Result<TrainingTime> parseTrainingTime(std::string_view text);

// Position of a run in its training; the other half of a comparison with a TrainingTime.
struct TrainingClock {
  std::int64_t updates = 0;
  std::int64_t epochs = 0;  // finished epochs
  std::int64_t targetTokens = 0;
  // The count in this unit.
  double count(TrainingTime::Unit unit) const;
  bool reached(const TrainingTime& time) const { return !time.never() && count(time.unit) >= time.amount; }
};

}  // namespace fathom
