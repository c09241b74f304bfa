// SPDX-License-Identifier: GPL-3.0-or-later
// Ticks of axes of dates.

#include <QDateTime>
#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

#include "views/figure/axis_scale.h"

namespace fathom {

namespace {

constexpr double kMinute = 60, kHour = 3600, kDay = 86400, kMonth = 30.44 * kDay, kYear = 365.25 * kDay;
constexpr double kFirstMonday = 4 * kDay;  // 1970-01-05: weeks begin there
constexpr std::size_t kMostDateTicks = 200;
constexpr double kMostSeconds = 2.5e11;  // the year 9891: later ones have no four digits

// Distances of ticks that are whole parts of what is next larger, in seconds.
constexpr std::array kSteps = {0.001,        0.002,        0.005,        0.01,     0.02,        0.05,
                               0.1,          0.2,          0.5,          1.0,      2.0,         5.0,
                               10.0,         15.0,         30.0,         kMinute,  2 * kMinute, 5 * kMinute,
                               10 * kMinute, 15 * kMinute, 30 * kMinute, kHour,    2 * kHour,   3 * kHour,
                               6 * kHour,    12 * kHour,   kDay,         2 * kDay, 7 * kDay,    14 * kDay};
constexpr std::array kMonths = {1, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000};

QDateTime momentOf(double seconds) {
  return QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(std::llround(seconds * 1000)), Qt::UTC);
}

QString timeFormat(double step) {
  if (step < 1) return QStringLiteral("HH:mm:ss.zzz");
  return step < kMinute ? QStringLiteral("HH:mm:ss") : QStringLiteral("HH:mm");
}

QString dateFormat(double step) {
  if (step >= kYear) return QStringLiteral("yyyy");
  return step >= kMonth - kDay ? QStringLiteral("yyyy-MM") : QStringLiteral("yyyy-MM-dd");
}

// Moments at which a step begins, within the range.
std::vector<double> momentsAt(double step, double low, double high) {
  std::vector<double> moments;
  const double begin = step >= 7 * kDay ? kFirstMonday : 0;
  for (double k = std::ceil((low - begin) / step - 1e-6); moments.size() < kMostDateTicks; ++k) {
    const double moment = begin + k * step;
    if (moment > high + 1e-6 * step) break;
    moments.push_back(moment);
  }
  return moments;
}

std::vector<double> monthsAt(int months, double low, double high) {
  std::vector<double> moments;
  const QDate first = momentOf(low).date();
  int month = (first.year() * 12 + first.month() - 1) / months * months;
  for (; moments.size() < kMostDateTicks; month += months) {
    const auto moment =
        static_cast<double>(QDate(month / 12, month % 12 + 1, 1).startOfDay(Qt::UTC).toSecsSinceEpoch());
    if (moment > high) break;
    if (moment >= low) moments.push_back(moment);
  }
  return moments;
}

// The moments of the smallest distance that is not below `least`, and that distance.
std::pair<std::vector<double>, double> momentsOf(double low, double high, double least) {
  for (const double step : kSteps)
    if (step >= least) return {momentsAt(step, low, high), step};
  for (const int months : kMonths)
    if (months * kMonth >= least || months == kMonths.back())
      return {monthsAt(months, low, high), months * kMonth};
  return {};
}

}  // namespace

std::vector<AxisTick> dateTicks(double from, const AxisRange& range, int wanted) {
  const double low = from + range.low, high = from + range.high;
  std::vector<AxisTick> ticks;
  if (!(high > low) || !(low > 0) || !(high < kMostSeconds)) return ticks;
  std::vector<double> moments;
  double step = 0;
  for (int room = std::max(wanted, 2); room < 64 && moments.size() < 2; room *= 2)
    std::tie(moments, step) = momentsOf(low, high, (high - low) / room);
  QDate day;
  for (const double moment : moments) {
    const QDateTime at = momentOf(moment);
    QString label = at.toString(step < kDay ? timeFormat(step) : dateFormat(step));
    if (step < kDay && at.date() != day) label.prepend(at.toString(QStringLiteral("MM-dd ")));
    day = at.date();
    ticks.push_back({moment - from, label, false});
  }
  return ticks;
}

QString momentText(double seconds) {
  if (!(std::abs(seconds) < kMostSeconds)) return {};
  const QDateTime at = momentOf(seconds);
  return at.toString(at.time().msec() == 0 ? QStringLiteral("yyyy-MM-dd HH:mm:ss")
                                           : QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz"));
}

}  // namespace fathom
