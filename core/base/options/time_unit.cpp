// SPDX-License-Identifier: Apache-2.0
#include "core/base/options/time_unit.h"

#include <charconv>
#include <cmath>

#include "core/base/errors/word_table.h"

namespace fathom {

namespace {
constexpr EnumWord<TrainingTime::Unit> kTimeUnits[] = {{TrainingTime::Unit::Updates, "u"},
                                                       {TrainingTime::Unit::Epochs, "e"},
                                                       {TrainingTime::Unit::TargetTokens, "t"}};
}  // namespace

std::string TrainingTime::text() const {
  if (never()) return "never";
  double shown = amount;
  std::string scale;
  if (unit == Unit::TargetTokens && std::fmod(amount, 1e6) == 0) {
    shown = amount / 1e6;
    scale = "M";
  }
  char digits[40];
  const auto end = std::to_chars(digits, digits + sizeof digits, shown, std::chars_format::fixed).ptr;
  return std::string(digits, end) + scale + wordOf(kTimeUnits, unit);
}

Result<TrainingTime> parseTrainingTime(std::string_view text) {
  const auto bad = [&] {
    return usageError(Phrase::tr("'%1' is not a training time")(std::string(text)),
                      Phrase::tr("write 300u (updates), 10e (epochs), 20Mt (target tokens) or never"));
  };
  if (text == "never") return TrainingTime{};
  TrainingTime time;
  const auto [rest, code] = std::from_chars(text.data(), text.data() + text.size(), time.amount);
  if (code != std::errc() || !std::isfinite(time.amount) || time.amount < 0) return bad();
  std::string_view unit(rest, text.data() + text.size() - rest);
  if (!unit.empty()) {
    const double scale = unit[0] == 'k' ? 1e3 : unit[0] == 'M' ? 1e6 : unit[0] == 'G' ? 1e9 : 1;
    if (scale != 1) unit.remove_prefix(1);
    time.amount *= scale;
  }
  const auto known = findWord(kTimeUnits, unit.empty() ? "u" : unit);
  if (!known) return bad();
  time.unit = *known;
  if (time.amount == 0) time.unit = TrainingTime::Unit::Updates;
  return time;
}

double TrainingClock::count(TrainingTime::Unit unit) const {
  switch (unit) {
    case TrainingTime::Unit::Updates:
      return static_cast<double>(updates);
    case TrainingTime::Unit::Epochs:
      return static_cast<double>(epochs);
    case TrainingTime::Unit::TargetTokens:
      return static_cast<double>(targetTokens);
  }
  return 0;
}

}  // namespace fathom
