// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/queue_rate.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>

namespace fathom {

namespace {

constexpr qint64 kLookedBack = 6 * 3600;  // seconds
constexpr int kFewestEnded = 2;

}  // namespace

QueueRate queueRate(const QVector<RunItem>& runs, const QDateTime& now) {
  int ended = 0, waiting = 0;
  qint64 longest = 0;  // since the first of them began
  for (const RunItem& run : runs) {
    if (!run.origin.isEmpty()) continue;
    if (isOpen(run.state)) {
      waiting += isLive(run.state) ? 0 : 1;
      continue;
    }
    if (!run.created.isValid() || run.durationSeconds <= 0) continue;
    const qint64 began = run.created.secsTo(now);
    if (began < 0 || static_cast<double>(began) - run.durationSeconds > static_cast<double>(kLookedBack))
      continue;
    ++ended;
    longest = std::max(longest, began);
  }
  QueueRate rate;
  if (ended < kFewestEnded || longest <= 0) return rate;
  rate.runsAnHour = 3600.0 * ended / static_cast<double>(longest);
  rate.secondsLeft = waiting / rate.runsAnHour * 3600;
  return rate;
}

QString queueRateText(const QueueRate& rate) {
  if (rate.runsAnHour < 0) return {};
  const QString runs = QLocale().toString(rate.runsAnHour, 'g', 2);
  if (rate.secondsLeft <= 0)
    return QCoreApplication::translate("fathom::QueuePanel", "%1 runs an hour.").arg(runs);
  return QCoreApplication::translate("fathom::QueuePanel", "%1 runs an hour; what waits takes about %2.")
      .arg(runs, durationText(rate.secondsLeft));
}

}  // namespace fathom
